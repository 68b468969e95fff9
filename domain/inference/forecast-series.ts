import { trialsOf, widened, widthOf, type Width } from './calibration.js';
import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import { medians, type QuantileForecast } from '../maths/forecasting/quantiles.js';
import { atLevels } from '../maths/forecasting/tails.js';
import type { ForecastSeriesOf, InferenceSeries, SeriesForecasted } from './forecasting.js';
import { historyOf, type History } from './history.js';
import { timeOfStep } from './steps.js';

/**
 * Forecasts series: the newest values with their gaps filled, at the levels that are wanted, in bands as wide
 * as the series' own past asks for (`widthOf`). One batched call for the forecasts, one for the past ones.
 * @throws Rejected as `historyOf`, and what `forecast` throws
 */
export const forecastSeries: ForecastSeriesOf = async (series, wanted, forecast) => {
  const histories = series.map(one => historyOf(one, wanted));
  const widths = await widthsOf(series, histories, wanted.horizon, forecast);
  const asked = histories.map(({ values, period }) => ({ values, period }));
  const answers = await forecast(asked, wanted.horizon);
  return series.map((one, i) => answered(one, histories[i]!, widths[i]!, answers[i]!, wanted.levels));
};

/** All series' forecasts of the past in one call: they go equally far. */
async function widthsOf(
  series: readonly InferenceSeries[],
  histories: readonly History[],
  horizon: number,
  forecast: ForecastMany,
): Promise<Width[]> {
  const trials = series.map((one, i) => trialsOf(one, histories[i]!.period, horizon));
  const all = trials.flat();
  const [first] = all;
  const forecasts = first
    ? await forecast(
        all.map(trial => trial.series),
        first.steps,
      )
    : [];
  let next = 0;
  return series.map(({ values }, i) => {
    const own = trials[i]!;
    next += own.length;
    return widthOf(values, own, forecasts.slice(next - own.length, next));
  });
}

function answered(
  series: InferenceSeries,
  { values, period, filled, warnings }: History,
  { factor, calibration }: Width,
  own: QuantileForecast,
  levels: readonly number[],
): SeriesForecasted {
  const { horizon, values: row } = atLevels(widened(own, factor), levels);
  const ahead = <T>(of: (step: number) => T): T[] => Array.from({ length: horizon }, (_, h) => of(h));
  return {
    id: series.id,
    times: Float64Array.from(ahead(h => timeOfStep(series, series.values.length + h))),
    mean: medians(own),
    quantiles: levels.map((level, k) => ({
      level,
      values: Float64Array.from(ahead(h => row[h * levels.length + k]!)),
    })),
    period,
    lookbackUsed: values.length,
    filledPoints: filled,
    calibration,
    explanation: null,
    warnings,
  };
}
