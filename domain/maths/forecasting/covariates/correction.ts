import { crps } from '../metrics/index.js';
import { medians, type QuantileForecast } from '../quantiles.js';
import { linearAt, ridge, type RidgeFit } from '../ridge.js';
import type { Trial } from './trials.js';

/** With fewer rows nothing is fitted. */
const FEWEST_ROWS = 8;
/** Folds at the end that are held out. */
export const FOLDS = 4;

/**
 * How much the forecast moves, and how much narrower its bands become: what is left of the squared errors of
 * rows left out. That is too little, as the rows of one origin share its error; where it matters, it is taken
 * from origins held out.
 */
export type Correction = { readonly fit: RidgeFit; readonly narrower: number } | null;

export function fitOf(trials: readonly Trial[]): Correction {
  const rows: Float64Array[] = [];
  const misses: number[] = [];
  for (const { forecast, actual, features } of trials) {
    const middle = medians(forecast);
    actual.forEach((y, h) => {
      if (!Number.isNaN(y)) {
        rows.push(features[h]!);
        misses.push(y - middle[h]!);
      }
    });
  }
  if (rows.length < FEWEST_ROWS) return null;
  const fit = ridge(rows, [Float64Array.from(misses)]);
  const before = sumOf(misses, miss => miss ** 2);
  const after = sumOf(misses, (miss, i) => (miss - fit.leftOut[0]![i]!) ** 2);
  return { fit, narrower: before > 0 ? Math.min(1, Math.sqrt(after / before)) : 1 };
}

export function corrected(
  forecast: QuantileForecast,
  features: readonly Float64Array[],
  correction: Correction,
): QuantileForecast {
  if (!correction) return forecast;
  const { levels } = forecast;
  const middle = medians(forecast);
  const values = forecast.values.slice();
  features.forEach((row, h) => {
    const [shift = 0] = linearAt(correction.fit, row);
    for (let k = h * levels.length; k < (h + 1) * levels.length; k++)
      values[k] = middle[h]! + shift + correction.narrower * (values[k]! - middle[h]!);
  });
  return { ...forecast, values };
}

/**
 * What each covariate's features (two of each, see `featuresOf`) add at the steps ahead, beyond the mean of
 * what they added in the trials.
 */
export function effectsOf(
  { weights: [weights = new Float64Array()] }: RidgeFit,
  trials: readonly Trial[],
  ahead: readonly Float64Array[],
): Float64Array[] {
  const past = trials.flatMap(({ features }) => features);
  return Array.from({ length: weights.length / 2 }, (_, c) => {
    const of = (row: Float64Array): number =>
      weights[2 * c]! * row[2 * c]! + weights[2 * c + 1]! * row[2 * c + 1]!;
    const usual = sumOf(past, of) / past.length;
    return Float64Array.from(ahead, row => of(row) - usual);
  });
}

/**
 * The share of the loss that the covariates save over all folds, in how many of them they save some, and what
 * is left of the deviations.
 */
export function heldOut(trials: readonly Trial[]): { gain: number; wins: number; narrower: number } {
  let without = 0;
  let withThem = 0;
  let wins = 0;
  let squares = 0;
  let left = 0;
  const edge = (fold: number): number => Math.round((trials.length * (1 + fold / FOLDS)) / 2);
  for (let fold = 0; fold < FOLDS && trials.length > 0; fold++) {
    const correction = fitOf(trials.slice(0, edge(fold)));
    const test = trials.slice(edge(fold), edge(fold + 1));
    const before = sumOf(test, trial => lossOf(trial.forecast, trial.actual));
    const after = sumOf(test, ({ forecast, actual, features }) =>
      lossOf(corrected(forecast, features, correction), actual),
    );
    without += before;
    withThem += after;
    wins += Number(after < before);
    squares += sumOf(test, trial => squaresOf(trial, null));
    left += sumOf(test, trial => squaresOf(trial, correction));
  }
  return {
    gain: 1 - withThem / without,
    wins,
    narrower: squares > 0 ? Math.min(1, Math.sqrt(left / squares)) : 1,
  };
}

/** The squared misses of a trial's medians, corrected or as they are. */
function squaresOf({ forecast, actual, features }: Trial, correction: Correction): number {
  const middle = medians(corrected(forecast, features, correction));
  return sumOf([...actual], (y, h) => (Number.isNaN(y) ? 0 : (y - middle[h]!) ** 2));
}

const sumOf = <T>(items: readonly T[], of: (item: T, i: number) => number): number =>
  items.reduce((sum, item, i) => sum + of(item, i), 0);

/** A trial of which nothing came counts nothing. */
const lossOf = (forecast: QuantileForecast, actual: Float64Array): number => crps(actual, forecast) || 0;
