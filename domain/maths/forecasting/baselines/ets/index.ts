import { normalForecast } from '../../quantiles.js';
import type { Baseline } from '../baseline.js';
import { betweenNumbers } from '../gaps.js';
import { naive } from '../naive.js';
import { fit, type EtsFit } from './fit.js';
import { ahead } from './forecast.js';
import type { Form } from './model.js';

/** A season of more phases has too many figures to be fitted one by one. */
const LONGEST_PERIOD = 24;

/**
 * Exponential smoothing (ETS) with the form of the least AICc: errors added or multiplying, no trend, a line
 * or a fading one, no season, an added or a multiplying one; no added errors with a season that multiplies,
 * and nothing multiplies where a value is not above 0. A season needs two of its periods, of 2 to 24 steps.
 * Normal, with the model's variances. Missing values correct nothing. Series too short for any form (fewer
 * than 5 numbers) get the naive forecast.
 */
export const ets: Baseline = betweenNumbers((series, period, horizon) => {
  const best = bestOf(series, period);
  if (!best) return naive(series, period, horizon);
  const { means, variances } = ahead(best, series.length, horizon);
  return normalForecast(means, variances.map(Math.sqrt));
});

/** The fit with the least AICc, the simpler of equals; null where the series is too short for any. */
export function bestOf(series: Float64Array, period: number): EtsFit | null {
  return formsFor(series, period)
    .map(form => fit(form, series, period))
    .reduce((best, now) => (now && (!best || now.aicc < best.aicc) ? now : best), null);
}

function formsFor(series: Float64Array, period: number): Form[] {
  const seasonal = period >= 2 && period <= LONGEST_PERIOD && series.length >= 2 * period;
  const seasons: readonly Form['season'][] = seasonal ? ['N', 'A', 'M'] : ['N'];
  const mayMultiply = !series.some(value => value <= 0);
  const forms: Form[] = [];
  for (const season of seasons)
    for (const trend of ['N', 'A', 'Ad'] as const)
      for (const error of ['A', 'M'] as const) {
        const multiplies = error === 'M' || season === 'M';
        const isUnstable = error === 'A' && season === 'M';
        if (!isUnstable && (mayMultiply || !multiplies)) forms.push({ error, trend, season });
      }
  return forms;
}
