import { unforecastable, type ForecastMany, type ForecastSeries } from '../forecaster.js';
import { medians, type QuantileForecast } from '../quantiles.js';
import { holesOf, isInside, lineOf, trialsOf } from './holes.js';
import { adjusted, tuned } from './tuning.js';
import { forecastHoles } from './two-sided.js';

/** Missing values in a row: the first and how many; `quantiles` of each, null where there are too many. */
export type Gap = {
  readonly from: number;
  readonly length: number;
  readonly quantiles: QuantileForecast | null;
};

/**
 * `values` with the medians in the gaps. `share`: how much of these is forecast, the rest is a straight line;
 * see `tuned`.
 */
export type Imputed = {
  readonly values: Float64Array;
  readonly gaps: readonly Gap[];
  readonly share: number;
};

/**
 * Fills gaps (NaN) of a series by a forecast from what is before and one of the turned series from what is
 * after, each drawn to the value that is known at its far end (`bridged`), and mixed by nearness, quantile by
 * quantile. How far to trust that is tried out on known values that are treated as gaps (`tuned`). A gap at
 * an end of the series has one forecast, as it is. All is one batched call. `horizon`: how far the forecaster
 * goes at most; gaps of so many steps and more stay.
 * @throws Rejected when no value is known
 */
export async function impute(
  series: ForecastSeries,
  horizon: number,
  forecast: ForecastMany,
): Promise<Imputed> {
  const { values } = series;
  if (values.every(Number.isNaN)) throw unforecastable(0, 'none of its values is known');
  const holes = holesOf(values);
  const fillable = holes.filter(({ length }) => length < horizon);
  const trials = trialsOf(values, fillable);
  const forecastOf = await forecastHoles(series, [...fillable, ...trials], forecast);
  const tuning = tuned(values, trials, forecastOf);
  const filled = values.slice();
  const gaps = holes.map((hole): Gap => {
    if (hole.length >= horizon) return { ...hole, quantiles: null };
    const plain = forecastOf(hole);
    const quantiles = isInside(values, hole) ? adjusted(plain, lineOf(values, hole), tuning) : plain;
    filled.set(medians(quantiles), hole.from);
    return { ...hole, quantiles };
  });
  return { values: filled, gaps, share: tuning.share };
}
