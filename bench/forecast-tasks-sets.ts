import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Forecaster } from '../domain/maths/forecasting/forecaster.js';
import { randomOf, type Random } from '../test/random.js';
import { readWindows, sampleOf, setsIn } from './forecast-sets.js';

// What the tasks of bench/forecast-tasks.ts share.

/** Real series, whole. */
export type RealSeries = {
  readonly set: string;
  readonly name: string;
  readonly freq: string;
  readonly period: number;
  readonly values: Float64Array;
};

/** A Markdown table of a task, and whether the model has earned to list it: `rule` says for what. */
export type TaskResult = {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly rule: string;
  readonly earned: boolean;
  readonly details: unknown;
};

export type TaskInput = {
  readonly model: Forecaster;
  readonly folder: string;
  readonly most: number;
  readonly seed: number;
};

/** Shorter ones leave no room to judge; of longer ones the newest values are taken. */
const SHORTEST = 66;
const NEWEST = 1024;

/** At most `most` series of each set and frequency that are long enough. */
export async function realSeries({ folder, most, seed }: TaskInput): Promise<RealSeries[]> {
  const found = new Map<string, RealSeries>();
  const sets = join(folder, 'sets');
  for (const set of setsIn(sets)) {
    const windows = (await readWindows(sets, set)).filter(({ values }) => known(values) >= SHORTEST);
    for (const { name, freq, period, values } of sampleOf(windows, most, seed))
      found.set(`${set} ${name}`, { set, name, freq, period, values: values.subarray(-NEWEST) });
  }
  return [...found.values()];
}

const known = (values: Float64Array): number =>
  values.reduce((count, x) => count + Number(!Number.isNaN(x)), 0);

/** The lines of a JSON lines file; null is NaN in arrays that go through `numbers`. */
export async function linesOf<T>(folder: string, name: string): Promise<T[]> {
  const lines: T[] = [];
  const input = createReadStream(join(folder, 'tasks', `${name}.jsonl`));
  for await (const line of createInterface({ input, crlfDelay: Infinity })) lines.push(JSON.parse(line) as T);
  return lines;
}

export const numbers = (written: readonly (number | null)[]): Float64Array =>
  Float64Array.from(written, x => x ?? NaN);

/** The same for the same seed and name, whatever else is drawn. */
export const randomFor = (seed: number, name: string): Random =>
  randomOf(
    [...name].reduce(
      (hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 16_777_619),
      seed + 2_166_136_261,
    ),
  );

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = items.map(item => ({ item, at: random.next() }));
  return order.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, x) => sum + x, 0) / values.length;
export const three = (x: number): string => x.toFixed(3);
export const percent = (x: number): string => `${(100 * x).toFixed(1)}%`;
