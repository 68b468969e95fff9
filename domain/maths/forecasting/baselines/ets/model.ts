import { ERROR_FLOOR } from '../precision.js';

/**
 * Exponential smoothing as a state space model (Hyndman, Koehler, Snyder and Grose 2002; FPP3, 8.5): a level,
 * a slope and a figure for each phase of the season, which every value's error corrects.
 */

/**
 * Errors are added or multiply; the trend is none, a line or one that fades; the season is none, added or
 * multiplies.
 */
export type Form = {
  readonly error: 'A' | 'M';
  readonly trend: 'N' | 'A' | 'Ad';
  readonly season: 'N' | 'A' | 'M';
};

/**
 * How much of an error the level, the slope and the season take, and what is left of the slope at each step.
 */
export type Weights = {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly phi: number;
};

/**
 * `season` holds the figure of each phase; the phase of step t is t modulo its length. No season is one
 * figure, 0 or 1.
 */
export type State = { level: number; slope: number; readonly season: Float64Array };

export type Run = {
  /**
   * Minus twice the log-likelihood but for a constant of all forms; Infinity where what errors multiply is
   * not above 0.
   */
  readonly loss: number;
  /** The sum of squared errors (relative ones for 'M') over `count` values. */
  readonly squares: number;
  readonly count: number;
  /** The state after the last value. */
  readonly end: State;
};

/** Runs a model through a series; a missing value (NaN) corrects nothing. */
export function run(form: Form, weights: Weights, start: State, values: Float64Array, largest: number): Run {
  const { alpha, beta, gamma, phi } = weights;
  const season = Float64Array.from(start.season);
  const m = season.length;
  const multiplies = form.season === 'M';
  const relative = form.error === 'M';
  let { level, slope } = start;
  let squares = 0;
  let logs = 0;
  let count = 0;
  for (let t = 0; t < values.length; t++) {
    const phase = t % m;
    const base = level + phi * slope;
    const figure = season[phase]!;
    const expected = multiplies ? base * figure : base + figure;
    if (relative && (expected <= 0 || (multiplies && base <= 0)))
      return { loss: Infinity, squares, count, end: start };
    const missing = Number.isNaN(values[t]!);
    const error = missing ? 0 : values[t]! - expected;
    if (!missing) {
      const size = relative ? error / expected : error;
      squares += size * size;
      if (relative) logs += Math.log(Math.abs(expected));
      count++;
    }
    const own = multiplies ? error / figure : error;
    level = base + alpha * own;
    slope = phi * slope + beta * own;
    season[phase] = figure + gamma * (multiplies ? error / base : error);
  }
  const floor = count * (ERROR_FLOOR * (relative ? 1 : largest)) ** 2;
  return {
    loss: count * Math.log(Math.max(squares, floor)) + 2 * logs,
    squares,
    count,
    end: { level, slope, season },
  };
}
