import { knownBefore, type ForecastMany, type ForecastSeries } from './forecaster.js';
import { crps } from './metrics.js';
import { medians, type QuantileForecast } from './quantiles.js';
import { linearAt, ridge, type RidgeFit } from './ridge.js';

/**
 * `covariates`: columns that are known ahead (holidays, prices, the weather forecast), each with a finite
 * value for every value of the series and for the `horizon` steps after it.
 */
export type CovariateInput = {
  readonly series: ForecastSeries;
  readonly covariates: readonly Float64Array[];
  readonly horizon: number;
};

/**
 * `kept`: whether the covariates are in the forecast. `gain`: by which share they lessened the quantile loss
 * on origins that were held out; NaN when there were too few to tell.
 */
export type CovariateForecast = {
  readonly forecast: QuantileForecast;
  readonly kept: boolean;
  readonly gain: number;
};

/**
 * Least context of an origin; of origins, fewest and most; rows that are enough; folds at the end that are
 * held out.
 */
const LEAST_CONTEXT = 32;
const FEWEST = 8;
const MOST = 64;
const ENOUGH_ROWS = 512;
const FOLDS = 4;
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
  if (!kept || !correction) return { forecast: plain, kept: false, gain };
  return {
    forecast: corrected(plain, featuresOf(input, values.length), { ...correction, narrower }),
    kept,
    gain,
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

/** From old to new, the last one `horizon` before the end. */
function originsOf({ series: { values, period }, horizon }: CovariateInput): number[] {
  const least = Math.max(LEAST_CONTEXT, Math.min(2 * period, values.length >> 1));
  const most = Math.max(FEWEST, Math.min(MOST, Math.ceil(ENOUGH_ROWS / horizon)));
  const origins: number[] = [];
  for (let origin = values.length - horizon; origin >= least && origins.length < most; origin -= horizon)
    if (knownBefore(values, origin)) origins.unshift(origin);
  return origins.length < FEWEST ? [] : origins;
}

/** A forecast from an origin that lies in the past, what came, and the covariates of each step. */
type Trial = {
  readonly forecast: QuantileForecast;
  readonly actual: Float64Array;
  readonly features: readonly Float64Array[];
};

const trialOf = (input: CovariateInput, origin: number, forecast: QuantileForecast): Trial => ({
  forecast,
  actual: input.series.values.subarray(origin, origin + input.horizon),
  features: featuresOf(input, origin),
});

const featuresOf = ({ covariates, horizon }: CovariateInput, origin: number): Float64Array[] =>
  Array.from({ length: horizon }, (_, h) =>
    Float64Array.from(
      covariates.flatMap(column => [column[origin + h]!, column[origin + h]! - column[origin - 1]!]),
    ),
  );

/**
 * How much the forecast moves, and how much narrower its bands become: what is left of the squared errors of
 * rows left out. That is too little, as the rows of one origin share its error; where it matters, it is taken
 * from origins held out.
 */
type Correction = { readonly fit: RidgeFit; readonly narrower: number } | null;

function fitOf(trials: readonly Trial[]): Correction {
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
  if (rows.length < FEWEST) return null;
  const fit = ridge(rows, [Float64Array.from(misses)]);
  const before = sumOf(misses, miss => miss ** 2);
  const after = sumOf(misses, (miss, i) => (miss - fit.leftOut[0]![i]!) ** 2);
  return { fit, narrower: before > 0 ? Math.min(1, Math.sqrt(after / before)) : 1 };
}

function corrected(
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
 * The share of the loss that the covariates save over all folds, in how many of them they save some, and what
 * is left of the deviations.
 */
function heldOut(trials: readonly Trial[]): { gain: number; wins: number; narrower: number } {
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
