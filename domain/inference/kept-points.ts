import type { Backtest, BacktestWindow } from './backtest.js';
import type { Grade } from './grade.js';

/** Points as columns, by the names of their members: as JSON a fraction of a list of objects. */
export type KeptPoints<P extends object> = { readonly [K in keyof P]: readonly P[K][] };

export function keptPoints<P extends object>(points: readonly P[]): KeptPoints<P> {
  const names = Object.keys(points[0] ?? {}) as (keyof P)[];
  return Object.fromEntries(
    names.map(name => [name, points.map(point => point[name])]),
  ) as unknown as KeptPoints<P>;
}

/** The points again. */
export function pointsIn<P extends object>(columns: KeptPoints<P>): P[] {
  const entries = Object.entries(columns) as [keyof P, readonly P[keyof P][]][];
  const [first] = entries;
  return (first?.[1] ?? []).map(
    (_, i) => Object.fromEntries(entries.map(([name, column]) => [name, column[i]])) as P,
  );
}

/** A backtest as it is kept. Times are epoch ms. */
export type KeptBacktest = {
  readonly id: string;
  readonly period: number;
  readonly grade: Grade;
  readonly windows: readonly {
    readonly cutoff: number;
    readonly times: readonly number[];
    readonly actual: readonly (number | null)[];
    readonly mean: readonly number[];
    readonly levels: readonly number[];
    /** For each level one number for each step. */
    readonly quantiles: readonly (readonly number[])[];
    readonly grade: Grade;
  }[];
};

export const keptBacktest = ({ id, period, grade, windows }: Backtest): KeptBacktest => ({
  ...{ id, period, grade },
  windows: windows.map(keptWindow),
});

const keptWindow = ({ cutoff, forecast: { times, mean, quantiles }, actual, grade }: BacktestWindow) => ({
  cutoff,
  times: [...times],
  actual: Array.from(actual, value => (Number.isNaN(value) ? null : value)),
  mean: [...mean],
  levels: quantiles.map(({ level }) => level),
  quantiles: quantiles.map(({ values }) => [...values]),
  grade,
});
