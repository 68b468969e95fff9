import { judge, type Anomalies, type AnomalyOptions } from './anomaly-scores.js';
import { knownBefore, type ForecastMany, type ForecastSeries } from './forecaster.js';
import type { QuantileForecast } from './quantiles.js';

/**
 * Which values are not what the ones before them led to expect: forecasts from rolling origins, all in one
 * batched call. Since a wild value would spoil the next forecasts, there is a second call in which the values
 * that the first one flagged are missing, for the origins behind the first of them.
 */
export async function anomalies(
  series: ForecastSeries,
  options: AnomalyOptions,
  forecast: ForecastMany,
): Promise<Anomalies> {
  const { values } = series;
  const origins = originsOf(values.length, options);
  const first = await forecastFrom(series, origins, options.steps, forecast);
  const judged = judge(values, options, first);
  const [flag] = judged.flagged;
  if (flag === undefined) return judged;
  const cleaned = values.slice();
  for (const place of judged.flagged) cleaned[place] = NaN;
  const second = await forecastFrom(
    { ...series, values: cleaned },
    origins.filter(origin => origin > flag),
    options.steps,
    forecast,
  );
  return judge(values, options, new Map([...first, ...second]));
}

function originsOf(length: number, { from, steps }: AnomalyOptions): number[] {
  if (![from, steps].every(count => Number.isSafeInteger(count) && count >= 1))
    throw new RangeError('anomalies are judged from place 1 on, with one step or more');
  return Array.from({ length: Math.max(0, Math.ceil((length - from) / steps)) }, (_, i) => from + i * steps);
}

/** The forecast of each origin that has a known value not long before it. */
async function forecastFrom(
  { values, period }: ForecastSeries,
  origins: readonly number[],
  steps: number,
  forecast: ForecastMany,
): Promise<Map<number, QuantileForecast>> {
  const usable = origins.filter(origin => knownBefore(values, origin));
  if (!usable.length) return new Map();
  const answers = await forecast(
    usable.map(origin => ({ values: values.subarray(0, origin), period })),
    steps,
  );
  return new Map(usable.map((origin, i) => [origin, answers[i]!]));
}
