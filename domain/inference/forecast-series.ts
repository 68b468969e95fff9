import { medians, type QuantileForecast } from '../maths/forecasting/quantiles.js';
import { atLevels } from '../maths/forecasting/tails.js';
import type { ForecastSeriesOf, InferenceSeries, SeriesForecasted } from './forecasting.js';
import { historyOf, type History } from './history.js';
import { timeOfStep } from './steps.js';

/**
 * Forecasts series, all in one batched call: the newest values with their gaps filled, at the levels that
 * are wanted.
 * @throws Rejected as `historyOf`, and what `forecast` throws
 */
export const forecastSeries: ForecastSeriesOf = async (series, wanted, forecast) => {
  const histories = series.map(one => historyOf(one, wanted));
  const asked = histories.map(({ values, period }) => ({ values, period }));
  const answers = await forecast(asked, wanted.horizon);
  return series.map((one, i) => answered(one, histories[i]!, answers[i]!, wanted.levels));
};

function answered(
  series: InferenceSeries,
  { values, period, filled, warnings }: History,
  own: QuantileForecast,
  levels: readonly number[],
): SeriesForecasted {
  const { horizon, values: row } = atLevels(own, levels);
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
    calibration: null,
    explanation: null,
    warnings,
  };
}
