import { forecastWithCovariates } from '../maths/forecasting/covariates/forecast.js';
import type { ForecastMany, ForecastSeries } from '../maths/forecasting/forecaster.js';
import { medians, type QuantileForecast } from '../maths/forecasting/quantiles.js';
import { atLevels } from '../maths/forecasting/tails.js';
import { covariatesRead, trialsOf, widened, widthOf, type Width } from './calibration.js';
import { explained } from './explanation.js';
import type { ForecastSeriesOf, ForecastWanted, InferenceSeries, SeriesForecasted } from './forecasting.js';
import { historyOf, type History } from './history.js';
import { timeOfStep } from './steps.js';

/**
 * Forecasts series: the newest values with their gaps filled, moved by covariates where these proved to help,
 * at the levels that are wanted, in bands as wide as the series' own past asks for (`widthOf`). One batched
 * call for the forecasts, one for the past ones, and one for each series with covariates.
 * @throws Rejected as `historyOf`, and what `forecast` throws
 */
export const forecastSeries: ForecastSeriesOf = async (series, wanted, forecast) => {
  const histories = series.map(one => historyOf(one, wanted));
  const widths = await widthsOf(series, histories, wanted, forecast);
  const made = await forecasts(series, histories, wanted, forecast);
  return series.map((one, i) => answered(one, histories[i]!, widths[i]!, made[i]!, wanted));
};

/** All series' forecasts of the past, one call for each length. */
async function widthsOf(
  series: readonly InferenceSeries[],
  histories: readonly History[],
  wanted: Pick<ForecastWanted, 'bands' | 'maxHorizon' | 'reads'>,
  forecast: ForecastMany,
): Promise<Width[]> {
  const trials = series.map((one, i) =>
    wanted.bands === 'model' ? [] : trialsOf(one, histories[i]!, wanted),
  );
  const lengths = [...new Set(trials.flat().map(({ steps }) => steps))];
  const answers = new Map<unknown, QuantileForecast>();
  for (const steps of lengths) {
    const all = trials.flat().filter(trial => trial.steps === steps);
    const made = await forecast(
      all.map(trial => trial.series),
      steps,
    );
    all.forEach((trial, i) => answers.set(trial, made[i]!));
  }
  return series.map(({ values }, i) =>
    widthOf(
      values,
      trials[i]!,
      trials[i]!.map(trial => answers.get(trial)!),
    ),
  );
}

/** A forecast, the same without covariates, and what each of these adds. */
type Made = {
  readonly forecast: QuantileForecast;
  readonly plain: QuantileForecast;
  readonly effects: ReadonlyMap<string, Float64Array>;
};

async function forecasts(
  series: readonly InferenceSeries[],
  histories: readonly History[],
  { horizon, reads = [] }: ForecastWanted,
  forecast: ForecastMany,
): Promise<Made[]> {
  const isPlain = series.map(({ covariates }) => reads.length > 0 || Object.keys(covariates).length === 0);
  const asked = series.flatMap((one, i) => (isPlain[i] ? [askedOf(one, histories[i]!, reads)] : []));
  const answers = asked.length ? [...(await forecast(asked, horizon))] : [];
  const plain = (made: QuantileForecast): Made => ({ forecast: made, plain: made, effects: new Map() });
  return Promise.all(
    series.map((one, i) =>
      isPlain[i] ? plain(answers.shift()!) : moved(one, histories[i]!, horizon, forecast),
    ),
  );
}

/** A history with when its values were, and the covariates that the model reads. */
function askedOf(
  { start, step, values: all, covariates }: InferenceSeries,
  { values, period }: History,
  reads: readonly string[],
): ForecastSeries {
  const from = all.length - values.length;
  const times = { start: timeOfStep({ start, step }, from), step };
  return { values, period, times, ...covariatesRead(covariates, reads, [from, Infinity]) };
}

async function moved(
  { covariates }: InferenceSeries,
  { values, period }: History,
  horizon: number,
  forecast: ForecastMany,
): Promise<Made> {
  const columns = Object.values(covariates).map(column => column.subarray(-(values.length + horizon)));
  const input = { series: { values, period }, covariates: columns, horizon };
  const { effects, ...made } = await forecastWithCovariates(input, forecast);
  const names = Object.keys(covariates);
  return { ...made, effects: new Map(effects.map((points, i) => [names[i]!, points])) };
}

function answered(
  series: InferenceSeries,
  { values, period, filled, warnings }: History,
  { factor, calibration }: Width,
  { forecast, plain, effects }: Made,
  { levels, explain }: ForecastWanted,
): SeriesForecasted {
  const { horizon, values: rows } = atLevels(widened(forecast, factor), levels);
  const ahead = (of: (step: number) => number): Float64Array => {
    const column = new Float64Array(horizon);
    for (let h = 0; h < horizon; h++) column[h] = of(h);
    return column;
  };
  const mean = medians(forecast);
  return {
    id: series.id,
    times: ahead(h => timeOfStep(series, series.values.length + h)),
    mean,
    quantiles: levels.map((level, k) => ({ level, values: ahead(h => rows[h * levels.length + k]!) })),
    ...{ period, calibration, warnings },
    lookbackUsed: values.length,
    filledPoints: filled,
    explanation: explain ? explained({ values, period, mean, plain: medians(plain), effects }) : null,
  };
}
