import type { ForecastSeries } from '../../maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../../maths/forecasting/quantiles.js';
import { stepTimes } from './times.js';
import { rowsOf, type InputAt } from './features.js';
import type { WindowPlan } from './plan.js';
import { placeOfReference, windowOf } from './window.js';

/** Quantiles of rows, one for each step from the first on, in sizes and relative to the reference. */
export type AnswerRows = (rows: readonly Float64Array[]) => Promise<Float64Array>;

/**
 * The next steps of a series by a windowed model. Where quantiles cross they are put in order.
 * @throws RangeError where the series has no known value, or lacks times or a column that the model reads
 */
export async function forecastWindowed(
  plan: WindowPlan,
  levels: readonly number[],
  series: ForecastSeries,
  horizon: number,
  answer: AnswerRows,
): Promise<QuantileForecast> {
  const newest = series.values.subarray(-plan.lookback);
  const window = windowOf(newest, plan.period);
  if (!window) throw new RangeError('a series without a number cannot be forecast');
  const rowOf = rowsOf(plan).from(window);
  const last = series.values.length - 1;
  const lacking = plan.inputs.find(({ name }) => series.covariates?.[name] === undefined);
  if (lacking) throw new RangeError(`the model reads ${lacking.name}, which the series does not bring`);
  const input: InputAt = (name, ahead) => series.covariates![name]![last + ahead]!;
  const timeOf = plan.calendar ? stepTimes(series, plan.calendar) : () => 0;
  const rows = Array.from({ length: horizon }, (_, h) => rowOf(h + 1, timeOf(last + 1 + h), input));
  const answered = await answer(rows);
  const values = new Float64Array(horizon * levels.length);
  for (let h = 0; h < horizon; h++) {
    const place = placeOfReference(window.values.length, h + 1, plan.period);
    const reference = window.values[place]!;
    const row = answered.subarray(h * levels.length, (h + 1) * levels.length);
    values.set(row.map(x => reference + x * window.size).sort(), h * levels.length);
  }
  return { horizon, levels, values };
}
