import { normalForecast } from '../quantiles.js';
import type { Baseline } from './baseline.js';
import { isSeasonal, seasonalFigures, type SeasonKind } from './decomposition.js';
import { betweenNumbers, filled } from './gaps.js';
import { leastSmoothing, type Smoothing } from './smoothing.js';

/**
 * The theta method (Assimakopoulos and Nikolopoulos 2000), which won M3: simple exponential smoothing with
 * half the slope of the regression on time as drift (Hyndman and Billah 2003), on the series without its
 * season, with that put back. Seasonal where the autocorrelation test says so; the season multiplies where
 * all values are above 0 and is added otherwise. Normal, with variance s^2 (1 + (h - 1) alpha^2) at step h,
 * times the squared figure of a season that multiplies. Gaps are filled first (`filled`); the period's number
 * is not needed to be right.
 */
export const theta: Baseline = betweenNumbers((series, period, horizon) => {
  const seasonal = isSeasonal(filled(series, 1), period);
  const values = filled(series, seasonal ? period : 1);
  const kind: SeasonKind = values.every(value => value > 0) ? 'multiplicative' : 'additive';
  const figures = seasonal
    ? seasonalFigures(values, period, kind)
    : Float64Array.of(kind === 'additive' ? 0 : 1);
  const figure = (t: number): number => figures[t % figures.length]!;
  const adjusted = values.map((value, t) => (kind === 'additive' ? value - figure(t) : value / figure(t)));
  const { means, deviations } = withoutSeason(adjusted, horizon);
  const ahead = means.map((_, h) => figure(values.length + h));
  if (kind === 'additive')
    return normalForecast(
      means.map((mean, h) => mean + ahead[h]!),
      deviations,
    );
  return normalForecast(
    means.map((mean, h) => mean * ahead[h]!),
    deviations.map((s, h) => s * ahead[h]!),
  );
});

function withoutSeason(
  values: Float64Array,
  horizon: number,
): { means: Float64Array; deviations: Float64Array } {
  const n = values.length;
  const half = slopeOf(values) / 2;
  const { alpha, level, squares }: Smoothing = leastSmoothing(values);
  const variance = n > 2 ? squares / (n - 2) : 0; // alpha and the first level are fitted
  const means = new Float64Array(horizon);
  const deviations = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) {
    means[h] = level + half * (h + (1 - (1 - alpha) ** n) / alpha);
    deviations[h] = Math.sqrt(variance * (1 + h * alpha * alpha));
  }
  return { means, deviations };
}

/** The slope of the regression of the values on their times; 0 of one value. */
function slopeOf(values: Float64Array): number {
  const middle = (values.length - 1) / 2;
  let xy = 0;
  let xx = 0;
  values.forEach((value, t) => {
    xy += (t - middle) * value;
    xx += (t - middle) ** 2;
  });
  return xx && xy / xx;
}
