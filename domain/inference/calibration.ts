import type { ForecastSeries } from '../maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../maths/forecasting/quantiles.js';
import { quantileAt } from '../maths/forecasting/tails.js';
import { stepsBetween } from '../maths/series/grid.js';
import type { Calibration, ForecastWanted, InferenceSeries } from './forecasting.js';
import type { History } from './history.js';
import { timeOfStep } from './steps.js';

/** The band that is judged: its share of actuals inside should be this. */
const LEVEL = 0.8;
const OUTSIDE = 1 - LEVEL;
/** So many past forecasts are judged, at most, and at least. */
const MOST_ORIGINS = 12;
const LEAST_ORIGINS = 3;
/**
 * Past forecasts go a period ahead, within these, and so far where there is none. Not as far as the forecast
 * that is wanted: its first steps do not depend on how many are asked for.
 */
const STEPS = { least: 8, most: 48, usual: 16 };
/** The newest values that a past forecast is made from; as many are enough, and it costs less. */
const CONTEXT = 512;
/** Fewer values than this, or than two periods, are no ground for a forecast to be judged. */
const LEAST_VALUES = 24;
/** How fast the width follows what is seen: a forecast that misses everywhere widens by this times .8. */
const RATE = 0.2;
/** The bands become at most so many times wider or narrower. */
const MOST_LOG_WIDTH = Math.log(4);

/** A forecast of the past, to be judged by what came. */
export type Trial = {
  /** The place of its first step among the values. */
  readonly origin: number;
  readonly series: ForecastSeries;
  readonly steps: number;
};

/**
 * Forecasts of the past of a series, oldest first: one after the other without overlap, at most the newest
 * 12, each after a known value; none where there would be fewer than 3. They begin at fixed places of the
 * calendar, so that a new point leaves all but the oldest or newest as they were, and who keeps answers need
 * not ask again. `filled`: the newest values of the series as a model is given them; `maxHorizon`: the most
 * steps that it forecasts; `reads`: covariates that it reads.
 */
export function trialsOf(
  { start, step, values, covariates }: InferenceSeries,
  { values: filled, period }: Pick<History, 'values' | 'period'>,
  { maxHorizon = Infinity, reads = [] }: Pick<ForecastWanted, 'maxHorizon' | 'reads'> = {},
): readonly Trial[] {
  const usual = period > 1 ? Math.min(STEPS.most, Math.max(STEPS.least, period)) : STEPS.usual;
  const steps = Math.min(usual, maxHorizon);
  const first = Math.max(LEAST_VALUES, 2 * period, steps);
  const cut = values.length - filled.length;
  const beyond = stepsBetween(0, start, step) + values.length;
  const newest = values.length - steps - (((beyond % steps) + steps) % steps);
  const origins: number[] = [];
  for (let origin = newest; origin >= cut + first && origins.length < MOST_ORIGINS; origin -= steps)
    if (!Number.isNaN(values[origin - 1]!)) origins.unshift(origin);
  if (origins.length < LEAST_ORIGINS) return [];
  return origins.map(origin => {
    const from = Math.max(0, origin - cut - CONTEXT);
    const times = { start: timeOfStep({ start, step }, cut + from), step };
    const read = covariatesRead(covariates, reads, [cut + from, origin + steps]);
    const series = { values: filled.subarray(from, origin - cut), period, times, ...read };
    return { origin, series, steps };
  });
}

/** What a model reads of covariates, between two places of the series. */
export const covariatesRead = (
  covariates: InferenceSeries['covariates'],
  reads: readonly string[],
  [from, to]: readonly [from: number, to: number],
): Pick<ForecastSeries, 'covariates'> =>
  reads.length === 0
    ? {}
    : { covariates: Object.fromEntries(reads.map(name => [name, covariates[name]!.subarray(from, to)])) };

/** How wide bands must be, as a factor on all distances from the median. */
export type Width = { readonly factor: number; readonly calibration: Calibration };

const OWN: Width = {
  factor: 1,
  calibration: { method: 'model', level: LEVEL, coverageRecent: null, n: 0, widenedBy: 1 },
};

/**
 * The width at which the 80% band would have covered 80% of late: after each past forecast the logarithm of
 * the width grows by the rate times the share of its steps outside the band, less 20%, so that it follows a
 * series whose ways change. This is the quantile tracker of Angelopoulos, Candes and Tibshirani (2023),
 * "Conformal PID control for time series prediction", equation 3, on the logarithm of the width; it begins at
 * the model's own. `coverageRecent`: of the bands as they were then, before each of them was judged.
 */
export function widthOf(
  values: Float64Array,
  trials: readonly Trial[],
  forecasts: readonly QuantileForecast[],
): Width {
  let log = 0;
  let inside = 0;
  let n = 0;
  trials.forEach(({ origin, steps }, i) => {
    const judged = judge(values.subarray(origin, origin + steps), forecasts[i]!, Math.exp(log));
    if (judged.n === 0) return;
    inside += judged.inside;
    n += judged.n;
    log += RATE * (1 - judged.inside / judged.n - OUTSIDE);
    log = Math.max(-MOST_LOG_WIDTH, Math.min(MOST_LOG_WIDTH, log));
  });
  if (n === 0) return OWN;
  const factor = Math.exp(log);
  return {
    factor,
    calibration: {
      method: 'conformal',
      level: LEVEL,
      coverageRecent: inside / n,
      n,
      widenedBy: factor,
    },
  };
}

function judge(actuals: Float64Array, { levels, values }: QuantileForecast, factor: number) {
  const medianAt = quantileAt(levels, 0.5);
  const lowAt = quantileAt(levels, OUTSIDE / 2);
  const highAt = quantileAt(levels, 1 - OUTSIDE / 2);
  let inside = 0;
  let n = 0;
  actuals.forEach((actual, step) => {
    if (Number.isNaN(actual)) return;
    const row = step * levels.length;
    const middle = medianAt(values, row);
    const low = middle + factor * (lowAt(values, row) - middle);
    const high = middle + factor * (highAt(values, row) - middle);
    n++;
    inside += Number(low <= actual && actual <= high);
  });
  return { inside, n };
}

/** The forecast with all distances from the median times a factor; quantiles stay in order. */
export function widened(forecast: QuantileForecast, factor: number): QuantileForecast {
  if (factor === 1) return forecast;
  const { horizon, levels, values } = forecast;
  const wider = values.slice();
  const medianAt = quantileAt(levels, 0.5);
  const middlemost = levels.indexOf(0.5);
  for (let row = 0; row < horizon * levels.length; row += levels.length) {
    const middle = medianAt(values, row);
    for (let k = 0; k < levels.length; k++)
      if (k !== middlemost) wider[row + k] = middle + factor * (values[row + k]! - middle);
  }
  return { ...forecast, values: wider };
}
