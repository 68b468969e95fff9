import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { randomOf } from '../test/random.js';

// The series of bench/forecast.ts, as bench/forecast-data.py writes them.

/**
 * One forecast to be judged: made at `origin` from the values before it, for the `horizon` values from there
 * on.
 */
export type Window = {
  readonly set: string;
  readonly name: string;
  readonly freq: string;
  readonly period: number;
  readonly origin: number;
  readonly horizon: number;
  readonly values: Float64Array;
};

/**
 * What a method is asked for: one forecast from one origin, as far as the furthest of the windows that it
 * serves.
 */
export type Task = {
  readonly key: string;
  readonly context: Float64Array;
  readonly period: number;
  readonly horizon: number;
  readonly windows: readonly Window[];
};

/** Where a series, or a whole set, comes from. */
export type Source = {
  readonly set: string;
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly licence: string;
  readonly freq?: string;
  readonly period?: number;
  readonly length?: number;
  readonly missing?: number;
};

export const setsIn = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter(file => file.endsWith('.jsonl'))
        .map(file => file.slice(0, -'.jsonl'.length))
        .sort()
    : [];

export const sourcesOf = (folder: string): Source[] =>
  JSON.parse(readFileSync(join(folder, 'sources.json'), 'utf8')) as Source[];

/** The items by group, groups in the order in which they come. */
export function grouped<T>(items: Iterable<T>, groupOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    const list = groups.get(group);
    if (list) list.push(item);
    else groups.set(group, [item]);
  }
  return groups;
}

/** The windows of a set; those of one series share its values. */
export async function readWindows(folder: string, set: string): Promise<Window[]> {
  const windows: Window[] = [];
  const known = new Map<string, Float64Array>();
  for await (const line of createInterface({
    input: createReadStream(join(folder, `${set}.jsonl`)),
    crlfDelay: Infinity,
  })) {
    const { values: written, ...rest } = JSON.parse(line) as Omit<Window, 'values'> & {
      values: (number | null)[];
    };
    const values = known.get(rest.name) ?? Float64Array.from(written, x => x ?? NaN);
    known.set(rest.name, values);
    windows.push({ ...rest, values });
  }
  return windows;
}

/** The windows of at most `most` series of each set and frequency, chosen by the seed. */
export function sampleOf(windows: readonly Window[], most: number, seed: number): Window[] {
  const groups = grouped(windows, ({ set, freq }) => `${set} ${freq}`);
  return [...groups.values()].flatMap(group => {
    const random = randomOf(seed);
    const names = [...new Set(group.map(({ name }) => name))].sort();
    const order = names.map(name => ({ name, at: random.next() })).sort((a, b) => a.at - b.at);
    const kept = new Set(order.slice(0, most).map(({ name }) => name));
    return group.filter(({ name }) => kept.has(name));
  });
}

/** The windows of one series and origin are served by one forecast. */
export function tasksOf(windows: readonly Window[]): Task[] {
  const groups = grouped(windows, ({ set, name, origin }) => `${set}\t${name}\t${origin}`);
  return [...groups].map(([key, windows]) => {
    const { values, origin, period } = windows[0]!;
    const horizon = Math.max(...windows.map(window => window.horizon));
    return { key, context: values.subarray(0, origin), period, horizon, windows };
  });
}
