import { CARRY, carried, meansOn } from '../series/align.js';
import { cadenceOf } from '../series/cadence.js';
import type { Grid } from '../series/grid.js';
import { robustScale } from '../series/quantile.js';
import { leastSquares } from '../statistics/regression.js';
import type { SignalSource } from './question.js';
import { profileColumns, type Profile } from './profile.js';

/** A signal on the target's grid. */
export type GriddedSignal = {
  readonly key: string;
  /** In robust deviations from its median; where there is none for long, its last value stands. */
  readonly values: Float64Array;
  /** A robust deviation in the unit of the signal. */
  readonly scale: number;
  /** Steps in which it and the target are known. */
  readonly common: number;
  /** It is the same at every step. */
  readonly constant: boolean;
};

/** A signal with a slower cadence than the target's keeps its value as long as that lasts. */
export function griddedSignal({ key, series }: SignalSource, grid: Grid, target: Uint8Array): GriddedSignal {
  const cadence = cadenceOf(series.times) ?? 0;
  const carry = Math.max(CARRY, Math.ceil(cadence / grid.step.ms));
  const near = carried(meansOn(grid, series), carry);
  const common = near.reduce((count, value, t) => count + (target[t] && !Number.isNaN(value) ? 1 : 0), 0);
  const known = near.filter(value => !Number.isNaN(value));
  const { middle, scale } = robustScale(known);
  const first = known[0] ?? 0;
  const values = carried(near, near.length).map(value => (Number.isNaN(value) ? first : value));
  return {
    key,
    values: values.map(value => (value - middle) / scale),
    scale,
    common,
    constant: known.every(value => value === first),
  };
}

/**
 * A signal without what the target's profile explains of it, fitted to its first `upTo` steps: what it shares
 * with the target only because both know the season is no news.
 */
export function withoutProfile(x: Float64Array, profile: Profile, upTo = x.length): Float64Array {
  const columns = [new Float64Array(x.length).fill(1), ...profileColumns(profile, x.length)];
  const past = columns.map(column => column.slice(0, upTo));
  const { coefficients } = leastSquares(past, x.slice(0, upTo));
  return x.map((value, t) =>
    columns.reduce((rest, column, i) => rest - coefficients[i]! * column[t]!, value),
  );
}

/** Values of `lag` steps before; those before the first are the first. */
export function delayed(x: Float64Array, lag: number): Float64Array {
  const earlier = new Float64Array(x.length).fill(x[0] ?? 0);
  earlier.set(x.subarray(0, Math.max(0, x.length - lag)), Math.min(lag, x.length));
  return earlier;
}
