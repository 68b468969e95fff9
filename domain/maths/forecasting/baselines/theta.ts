import { normalForecast } from '../quantiles.js';
import { summed, type Baseline, type Freeze } from './baseline.js';
import { isSeasonal, seasonalFigures, type SeasonKind } from './decomposition.js';
import { betweenNumbers, filled } from './gaps.js';
import { leastSmoothing, smoothed, type Smoothing } from './smoothing.js';

/**
 * The theta method (Assimakopoulos and Nikolopoulos 2000), which won M3: simple exponential smoothing with
 * half the slope of the regression on time as drift (Hyndman and Billah 2003), on the series without its
 * season, with that put back. Seasonal where the autocorrelation test says so; the season multiplies where
 * all values are above 0 and is added otherwise. Normal, with variance s^2 (1 + (h - 1) alpha^2) at step h,
 * times the squared figure of a season that multiplies. Gaps are filled first (`filled`); the period's number
 * is not needed to be right.
 */
export const theta: Baseline = betweenNumbers((series, period, horizon) => {
  const { values, figures, kind } = decomposed(series, period);
  const { means, deviations } = withoutSeason(adjustedBy(values, figures, kind), horizon);
  const ahead = means.map((_, h) => figures[(values.length + h) % figures.length]!);
  return normalForecast(
    withSeason(means, ahead, kind),
    kind === 'additive' ? deviations : deviations.map((s, h) => s * ahead[h]!),
  );
});

export const frozenTheta: Freeze = (series, period, horizon) => {
  const { values, figures, kind } = decomposed(series, period);
  const { alpha } = leastSmoothing(adjustedBy(values, figures, kind));
  const ahead = Float64Array.from(
    { length: horizon },
    (_, h) => figures[(values.length + h) % figures.length]!,
  );
  return summed(others => {
    const adjusted = adjustedBy(others, figures, kind);
    return withSeason(meansOf(adjusted, smoothed(adjusted, alpha), horizon), ahead, kind);
  });
};

/** The series without gaps, and the figures of its season; without one a figure that changes nothing. */
function decomposed(series: Float64Array, period: number) {
  const seasonal = isSeasonal(filled(series, 1), period);
  const values = filled(series, seasonal ? period : 1);
  const kind: SeasonKind = values.every(value => value > 0) ? 'multiplicative' : 'additive';
  const none = Float64Array.of(kind === 'additive' ? 0 : 1);
  return { values, kind, figures: seasonal ? seasonalFigures(values, period, kind) : none };
}

const adjustedBy = (values: Float64Array, figures: Float64Array, kind: SeasonKind): Float64Array =>
  values.map((value, t) => {
    const figure = figures[t % figures.length]!;
    return kind === 'additive' ? value - figure : value / figure;
  });

const withSeason = (means: Float64Array, ahead: Float64Array, kind: SeasonKind): Float64Array =>
  means.map((mean, h) => (kind === 'additive' ? mean + ahead[h]! : mean * ahead[h]!));

function withoutSeason(
  values: Float64Array,
  horizon: number,
): { means: Float64Array; deviations: Float64Array } {
  const n = values.length;
  const found = leastSmoothing(values);
  const { alpha, squares } = found;
  const variance = n > 2 ? squares / (n - 2) : 0; // alpha and the first level are fitted
  const deviations = new Float64Array(horizon);
  for (let h = 0; h < horizon; h++) deviations[h] = Math.sqrt(variance * (1 + h * alpha * alpha));
  return { means: meansOf(values, found, horizon), deviations };
}

function meansOf(values: Float64Array, { alpha, level }: Smoothing, horizon: number): Float64Array {
  const half = slopeOf(values) / 2;
  const drift = (1 - (1 - alpha) ** values.length) / alpha;
  return Float64Array.from({ length: horizon }, (_, h) => level + half * (h + drift));
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
