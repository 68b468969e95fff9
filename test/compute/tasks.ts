import { existsSync, writeSync } from 'node:fs';
import { Rejected } from '../../domain/rejected.js';

/** Tasks that only tests need: some are as unkind to a worker as can be. */
export const tasks = {
  process: () => process.pid,
  environment: () => Object.keys(process.env),
  logistic: ({ x, rate, steps }: { x: Float64Array; rate: number; steps: number }) => ({
    x: orbit(x, rate, steps),
    rate,
  }),
  same: (input: unknown) => input,
  /** Waits for a file; answers what it was given. */
  wait: ({ until, name = '' }: { until: string; name?: string }) => {
    while (!existsSync(until)) sleep();
    return name;
  },
  forever: () => {
    for (;;);
  },
  throw: (message: string) => {
    throw new TypeError(message);
  },
  refuse: (code: string) => {
    throw new Rejected('unprocessable', code, 'Not with these', { field: 'keys' });
  },
  function: () => () => 1,
  exit: () => process.exit(3),
  /** As V8 does when it cannot go on. */
  abort: (lastWords: string) => {
    writeSync(2, lastWords);
    process.abort();
  },
  /** Memory without end, in the ways it can be taken. */
  objects: () => {
    for (const all: unknown[] = []; ; ) all.push({ x: all.length, y: [all.length] });
  },
  oneArray: () => {
    for (const all: number[] = []; ; ) all.push(all.length + 0.5);
  },
  oneMap: () => {
    for (const all = new Map<number, number[]>(); ; ) all.set(all.size, [all.size]);
  },
  typedArrays: () => {
    for (const all: Float64Array[] = []; ; ) all.push(new Float64Array(10_000).fill(all.length));
  },
  oneTypedArray: () => new Float64Array(4e9).fill(1).length,
  strings: () => {
    for (const all: string[] = []; ; ) all.push(Buffer.alloc(100_000, 'x').toString('latin1'));
  },
  oneString: () => 'x'.repeat(500_000_000).concat('y'.repeat(500_000_000)).length,
  recursion: () => {
    const deeper = (): number => 1 + deeper();
    return deeper();
  },
  /** Much, but not too much. */
  megabytes: (mb: number) => new Float64Array(mb * 131_072).fill(1).length,
} as const;

export type TestTasks = typeof tasks;

/** Chaotic: a difference in the last bit of any step shows in all digits of the end. */
const orbit = (x: Float64Array, rate: number, steps: number): Float64Array => {
  const out = Float64Array.from(x);
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < out.length; i++) out[i] = rate * out[i]! * (1 - out[i]!) + Math.sin(out[i]!) * 1e-3;
  }
  return out;
};

const sleep = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
