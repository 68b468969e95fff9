import { filled } from '../../maths/forecasting/baselines/gaps.js';

/**
 * What a windowed model reads of a series: its newest values without gaps, where they lie (`level`) and how
 * much they change (`size`), so that series of any unit look alike.
 */
export type Window = {
  readonly values: Float64Array;
  /** The mean over the last season, or the last 8 values where that is shorter. */
  readonly level: number;
  /** The mean change over a season, or from step to step where there is no season or no change over it. */
  readonly size: number;
};

const LEAST_LEVEL = 8;

/** Null where no value is known. */
export function windowOf(newest: Float64Array, period: number): Window | null {
  const first = newest.findIndex(value => !Number.isNaN(value));
  if (first < 0) return null;
  const values = filled(newest.subarray(first), period);
  const level = meanOfLast(values, Math.max(period, LEAST_LEVEL));
  return { values, level, size: changeOver(values, period) || changeOver(values, 1) || Math.abs(level) || 1 };
}

/** Of the last `count` values; of all where there are fewer. */
export function meanOfLast(values: Float64Array, count: number): number {
  const from = Math.max(0, values.length - count);
  let sum = 0;
  for (let i = from; i < values.length; i++) sum += values[i]!;
  return sum / (values.length - from);
}

/** 0 where the values are too few. */
function changeOver(values: Float64Array, lag: number): number {
  let sum = 0;
  for (let i = lag; i < values.length; i++) sum += Math.abs(values[i]! - values[i - lag]!);
  return values.length > lag ? sum / (values.length - lag) : 0;
}

/**
 * The place among `count` values of what a step ahead (from 1) is forecast relative to: of the same phase of
 * the last season that is known, `back` seasons before that; the oldest of the phase where there are fewer,
 * the last value where there is none. Without a season the last value but `back`.
 */
export function placeOfReference(count: number, step: number, period: number, back = 0): number {
  if (period === 1) return Math.max(0, count - 1 - back);
  const last = count + step - 1 - Math.ceil(step / period) * period;
  return last < 0 ? count - 1 : last - Math.min(back, Math.floor(last / period)) * period;
}
