import type { ForecastMany } from '../forecaster.js';
import type { QuantileForecast } from '../quantiles.js';
import { corrected, effectsOf, fitOf, FOLDS, heldOut } from './correction.js';
import { featuresOf, originsOf, trialOf, type CovariateInput } from './trials.js';

/**
 * `kept`: whether the covariates are in the forecast. `gain`: by which share they lessened the quantile loss
 * on origins that were held out; NaN when there were too few to tell. `plain`: the forecast without them.
 * `effects[covariate][step]`: what each adds to the median beyond what it does on average; none where they
 * are not kept.
 */
export type CovariateForecast = {
  readonly forecast: QuantileForecast;
  readonly plain: QuantileForecast;
  readonly kept: boolean;
  readonly gain: number;
  readonly effects: readonly Float64Array[];
};

/** A smaller gain is no gain: the covariates stay out. */
const LEAST_GAIN = 0.02;

/**
 * A forecast with covariates that are known ahead: ridge regression of what earlier forecasts missed on the
 * covariates at the step and on how far they are from those at the origin. The origins, `horizon` apart, and
 * the forecast itself are one batched call. Held out are the last halves of the origins in four folds, each
 * told by a fit on the ones before it; the covariates are kept where they lessen the quantile loss by 2% in
 * all and in most folds, else the forecast is as if there were none. The bands become as much narrower as the
 * squared errors of the held-out origins became smaller.
 * @throws RangeError for covariates of the wrong length or not finite
 */
export async function forecastWithCovariates(
  input: CovariateInput,
  forecast: ForecastMany,
): Promise<CovariateForecast> {
  check(input);
  const {
    series: { values, period },
    covariates,
    horizon,
  } = input;
  const origins = covariates.length ? originsOf(input) : [];
  const asked = [...origins, values.length].map(origin => ({ values: values.subarray(0, origin), period }));
  const answers = await forecast(asked, horizon);
  const trials = origins.map((origin, i) => trialOf(input, origin, answers[i]!));
  const plain = answers.at(-1)!;
  const { gain, wins, narrower } = heldOut(trials);
  const correction = fitOf(trials);
  const kept = gain >= LEAST_GAIN && wins > FOLDS / 2;
  if (!kept || !correction) return { forecast: plain, plain, kept: false, gain, effects: [] };
  const ahead = featuresOf(input, values.length);
  return {
    forecast: corrected(plain, ahead, { ...correction, narrower }),
    ...{ plain, kept, gain },
    effects: effectsOf(correction.fit, trials, ahead),
  };
}

function check({ series: { values }, covariates, horizon }: CovariateInput): void {
  covariates.forEach((column, i) => {
    if (column.length !== values.length + horizon)
      throw new RangeError(
        `covariate ${i} has ${column.length} values, not the series' ${values.length} and ${horizon} ahead`,
      );
    if (!column.every(Number.isFinite)) throw new RangeError(`covariate ${i} has a value that is not finite`);
  });
}
