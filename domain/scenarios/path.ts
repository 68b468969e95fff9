import type { Columns } from './facts.js';
import type { Window } from './assumptions.js';

/** A step of a column (`i`) that lies in a window, and its place there, from 0. */
export type Placed = { readonly i: number; readonly place: number };

/** Of steps that begin at `times`, `ahead` of them before the first one ahead, those in a window. */
export function placesIn(times: readonly number[], { from, to }: Window, ahead: number): readonly Placed[] {
  const first = firstIn(times, from, ahead);
  const step = stepOf(times);
  return times.flatMap((time, i) =>
    time < first || (to !== null && time >= to) ? [] : [{ i, place: Math.round((time - first) / step) }],
  );
}

/** How many steps a window has; without an end those up to the last one. */
export const stepsIn = (times: readonly number[], { from, to }: Window, ahead: number): number => {
  const step = stepOf(times);
  const [first, last] = [firstIn(times, from, ahead), times.at(-1)! + step];
  const end = to ?? last;
  const before = Math.min(end, times[0]!) - first;
  const within = times.filter(time => time >= first && time < end).length;
  const after = end - Math.max(first, last);
  const part = isEven(times, step) ? ROUNDING : UNEVEN;
  return [before, after].reduce((all, ms) => all + Math.max(0, Math.ceil(ms / step - part)), within);
};

/** So small a part of a step is none. */
const ROUNDING = 1e-6;
/** Nor is, where days or months differ in length, what they are off their mean: months never by a tenth. */
const UNEVEN = 0.12;

const isEven = (times: readonly number[], step: number): boolean =>
  times.every((time, i) => time === times[0]! + i * step);

/** Days of 23 and of 25 hours even out, and months. */
const stepOf = (times: readonly number[]): number =>
  times.length > 1 ? (times.at(-1)! - times[0]!) / (times.length - 1) : 1;

/** The first step at a time or later; steps go on as they do in both directions. */
function firstIn(times: readonly number[], from: number | null, ahead: number): number {
  if (from === null) return times[ahead]!;
  const within = times.find(time => time >= from);
  if (within !== undefined && from >= times[0]!) return within;
  const step = stepOf(times);
  return times[0]! + Math.ceil((from - times[0]!) / step) * step;
}

/** All values of each step moved along. */
export const shifted = ({ mean, quantiles }: Columns, by: ArrayLike<number>): Columns => ({
  mean: mean.map((value, h) => value + by[h]!),
  quantiles: quantiles.map(column => column.map((value, h) => value + by[h]!)),
});

/** With all values of some steps changed alike; quantiles of each stay in order. */
export function changedAt(
  { mean, quantiles }: Columns,
  steps: readonly number[],
  change: (value: number, step: number) => number,
): Columns {
  const moved = { mean: [...mean], quantiles: quantiles.map(column => [...column]) };
  for (const h of steps) {
    const row = quantiles.map(column => change(column[h]!, h)).sort((a, b) => a - b);
    moved.mean[h] = change(mean[h]!, h);
    moved.quantiles.forEach((column, k) => (column[h] = row[k]!));
  }
  return moved;
}

/** A model's forecast of the steps from some step on. */
export type Forecasted = {
  readonly mean: ArrayLike<number>;
  readonly quantiles: readonly { readonly values: ArrayLike<number> }[];
};

/** A distance from the median changes at most by this factor. */
const MOST = 10;

/**
 * A path from a step on as a model answers another history: the median moves as far as the model's does, and
 * distances from it grow or shrink as the model's do.
 */
export function answeredFrom(
  { mean, quantiles }: Columns,
  from: number,
  before: Forecasted,
  after: Forecasted,
): Columns {
  const moved = mean.map((value, h) =>
    h < from ? value : value + after.mean[h - from]! - before.mean[h - from]!,
  );
  const spread = (k: number, h: number): number => {
    const was = before.quantiles[k]!.values[h - from]! - before.mean[h - from]!;
    const is = after.quantiles[k]!.values[h - from]! - after.mean[h - from]!;
    return was === 0 ? 1 : Math.max(0, Math.min(MOST, is / was));
  };
  const columns = quantiles.map((column, k) =>
    column.map((value, h) => (h < from ? value : moved[h]! + spread(k, h) * (value - mean[h]!))),
  );
  const rows = moved.map((_, h) => columns.map(column => column[h]!).sort((a, b) => a - b));
  return { mean: moved, quantiles: columns.map((_, k) => rows.map(row => row[k]!)) };
}

/** One less the other. */
export const lessThan = (a: Columns, b: Columns): Columns => ({
  mean: a.mean.map((value, h) => value - b.mean[h]!),
  quantiles: a.quantiles.map((column, k) => column.map((value, h) => value - b.quantiles[k]![h]!)),
});

export const sumOf = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0);
