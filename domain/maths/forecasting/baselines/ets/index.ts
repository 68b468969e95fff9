import { normalForecast } from '../../quantiles.js';
import { medians } from '../../quantiles.js';
import { summed, type Baseline, type Freeze } from '../baseline.js';
import { betweenNumbers } from '../gaps.js';
import { naive } from '../naive.js';
import { bounded } from './bound.js';
import { fit, type EtsFit } from './fit.js';
import { ahead } from './forecast.js';
import { run, type Form, type State } from './model.js';

/** A season of more phases has too many figures to be fitted one by one. */
export const LONGEST_PERIOD = 24;

/**
 * `ets` among some forms alone, each as near as a series lets it be; null: among all, as where none of them
 * can be fitted.
 */
export const etsAmong = (forms: readonly Form[] | null): Baseline =>
  betweenNumbers((series, period, horizon) => {
    const best = bestOf(series, period, forms);
    if (!best) return naive(series, period, horizon);
    const { means, variances } = ahead(best, series.length, horizon);
    return normalForecast(means, bounded(variances, series).map(Math.sqrt));
  });

/**
 * Exponential smoothing (ETS) with the form of the least AICc: errors added or multiplying, no trend, a line
 * or a fading one, no season, an added or a multiplying one; no added errors with a season that multiplies,
 * nothing multiplies where a value is not above 0, and no errors of more than a half multiply. A season needs
 * two of its periods, of 2 to 24 steps. Normal, with the model's variances, none far beyond what the series
 * changed by over as many steps. Missing values correct nothing.
 * Series too short for any form (fewer than 5 numbers) get the naive forecast.
 */
export const ets: Baseline = etsAmong(null);

/** How errors come in does not move the states. */
export const frozenEtsAmong =
  (forms: readonly Form[] | null): Freeze =>
  (series, period, horizon) => {
    const best = bestOf(series, period, forms);
    if (!best) return summed(values => medians(naive(values, period, horizon)));
    const form: Form = { ...best.form, error: 'A' };
    const through = (values: Float64Array): State => run(form, best.weights, best.start, values, 1).end;
    return {
      medians: values => ahead({ ...best, form, end: through(values) }, values.length, horizon).means,
      smoothing:
        form.season === 'M' ? { ...best.weights, after: count => turned(through, series, count) } : null,
    };
  };

export const frozenEts: Freeze = frozenEtsAmong(null);

/** The state after some values, its season begun with the phase of the next one. */
function turned(through: (values: Float64Array) => State, series: Float64Array, count: number): State {
  const { level, slope, season } = through(series.subarray(0, count));
  return { level, slope, season: season.map((_, i) => season[(count + i) % season.length]!) };
}

/** The fit with the least AICc, the simpler of equals; null where the series is too short for any. */
export function bestOf(
  series: Float64Array,
  period: number,
  among: readonly Form[] | null = null,
): EtsFit | null {
  const possible = formsFor(series, period);
  return (among && leastOf(nearest(possible, among), series, period)) ?? leastOf(possible, series, period);
}

const leastOf = (forms: readonly Form[], series: Float64Array, period: number): EtsFit | null =>
  forms
    .map(form => fit(form, series, period))
    .filter(found => found !== null && isSound(found))
    .reduce<EtsFit | null>((best, now) => (!best || now!.aicc < best.aicc ? now : best), null);

/** Of the possible forms those that are nearest to the wanted ones, in their order; the trend is the same. */
function nearest(possible: readonly Form[], wanted: readonly Form[]): readonly Form[] {
  const near = new Set(
    wanted.map(({ error, trend, season }) => {
      const far = (form: Form): number =>
        4 * Number((form.season === 'N') !== (season === 'N'))
        + 2 * Number(form.season !== season)
        + Number(form.error !== error);
      const alike = possible.filter(form => form.trend === trend);
      return alike.reduce((best, form) => (far(form) < far(best) ? form : best));
    }),
  );
  return possible.filter(form => near.has(form));
}

/** Of normal errors that multiply and are so large, one in forty would turn a value below 0. */
const LARGEST_RELATIVE = 0.5;
const isSound = ({ form, squares, count, parameters }: EtsFit): boolean =>
  form.error === 'A' || squares <= LARGEST_RELATIVE ** 2 * (count - parameters);

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
