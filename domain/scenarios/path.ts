import type { Columns } from './facts.js';
import type { Window } from './assumptions.js';

/** Places of the steps that begin within a window (both ends included); null: from `first`, to the last. */
export function placesIn(times: readonly number[], { from, to }: Window, first: number): number[] {
  const places: number[] = [];
  times.forEach((time, i) => {
    if ((from === null ? i >= first : time >= from) && (to === null || time <= to)) places.push(i);
  });
  return places;
}

/** All values of each step moved along. */
export const shifted = ({ mean, quantiles }: Columns, by: ArrayLike<number>): Columns => ({
  mean: mean.map((value, h) => value + by[h]!),
  quantiles: quantiles.map(column => column.map((value, h) => value + by[h]!)),
});

/** With all values of one step changed alike; quantiles stay in order. */
export function changedAt(
  { mean, quantiles }: Columns,
  step: number,
  change: (value: number) => number,
): Columns {
  const row = quantiles.map(column => change(column[step]!)).sort((a, b) => a - b);
  const put = (column: readonly number[], value: number) =>
    column.map((before, h) => (h === step ? value : before));
  return {
    mean: put(mean, change(mean[step]!)),
    quantiles: quantiles.map((column, k) => put(column, row[k]!)),
  };
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
