import type { Part } from '../../domain/maths/finetuning/learned.js';

// The file of an adapter: eight letters, the length of a head, the head as JSON, then the numbers of what was
// learned as 16-bit integers, those of each part times a scale of its own. All in little endian.

export type AdapterHead = {
  readonly schema: 1;
  readonly backbone: { readonly slug: string; readonly sha256: string };
  /** The newest values that it was fitted to read. */
  readonly lookback: number;
  readonly parts: readonly {
    readonly name: string;
    readonly shape: readonly number[];
    readonly rank: number;
    readonly scale: number;
  }[];
};
export type Adapter = {
  readonly head: AdapterHead;
  readonly parts: readonly Part[];
  readonly theta: Float32Array;
};

const MAGIC = Buffer.from('PRSGADPT');
const HEAD_AT = MAGIC.length + 4;
const LARGEST = 32_767;

export const isAdapter = (bytes: Uint8Array): boolean =>
  bytes.length >= HEAD_AT && MAGIC.equals(bytes.subarray(0, MAGIC.length));

export function packAdapter(
  of: Pick<AdapterHead, 'backbone' | 'lookback'>,
  parts: readonly Part[],
  theta: Float32Array,
): Uint8Array {
  const numbers = Buffer.alloc(theta.length * 2);
  const scaled = parts.map(({ name, shape, rank, at, end }) => {
    const own = theta.subarray(at, end);
    const scale = own.reduce((most, x) => Math.max(most, Math.abs(x)), 0) / LARGEST || 1;
    own.forEach((x, i) => numbers.writeInt16LE(Math.round(x / scale), (at + i) * 2));
    return { name, shape, rank, scale };
  });
  const head: AdapterHead = { schema: 1, ...of, parts: scaled };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([MAGIC, length, text, numbers]);
}

/** @throws Error that says what is wrong with the file */
export function readAdapter(bytes: Uint8Array): Adapter {
  if (!isAdapter(bytes)) throw new Error('the file is no adapter');
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbersAt = HEAD_AT + file.readUInt32LE(MAGIC.length);
  const head = JSON.parse(file.subarray(HEAD_AT, numbersAt).toString()) as AdapterHead;
  if (head.schema !== 1) throw new Error(`an adapter of form ${String(head.schema)} is not known here`);
  const parts: Part[] = [];
  for (const { name, shape, rank } of head.parts) {
    const at = parts.at(-1)?.end ?? 0;
    const size = rank === 0 ? shape.reduce((a, b) => a * b, 1) : rank * (shape[0]! + shape[1]!);
    parts.push({ name, shape, rank, at, end: at + size });
  }
  const theta = new Float32Array(parts.at(-1)?.end ?? 0);
  if (file.length !== numbersAt + theta.length * 2) throw new Error('the adapter is cut short');
  parts.forEach(({ at, end }, k) => {
    for (let i = at; i < end; i++) theta[i] = file.readInt16LE(numbersAt + i * 2) * head.parts[k]!.scale;
  });
  return { head, parts, theta };
}
