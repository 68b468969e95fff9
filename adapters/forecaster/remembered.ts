import { hash } from 'node:crypto';
import type { ForecastMany, ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../../domain/maths/forecasting/quantiles.js';

/**
 * Forecasts that asks `forecast` only for what is not remembered; `of`: whose they are, and by which version
 * of which model.
 */
export type Remembered = (of: string, forecast: ForecastMany) => ForecastMany;

/**
 * Remembers forecasts by whose they are and what they are made from: model, values, their times, period and
 * horizon, to the bit. So a repeat answers what asking again would answer, as `Forecaster` promises. What was
 * asked for longest ago goes first when there are more than `bytes` of them.
 */
export function rememberedForecasts(bytes: number): Remembered {
  const known = new Map<string, QuantileForecast>();
  let used = 0;
  const recall = (name: string): QuantileForecast | undefined => {
    const forecast = known.get(name);
    if (forecast && known.delete(name)) known.set(name, forecast);
    return forecast;
  };
  const keep = (name: string, forecast: QuantileForecast): void => {
    if (known.has(name)) return;
    known.set(name, forecast);
    used += sizeOf(forecast);
    for (const [oldest, { values }] of known) {
      if (used <= bytes) break;
      known.delete(oldest);
      used -= sizeOf({ values });
    }
  };
  return (of, forecast) => async (series, horizon) => {
    const names = series.map(one => nameOf(of, one, horizon));
    const answers = names.map(recall);
    const open = names.flatMap((_, i) => (answers[i] ? [] : [i]));
    if (open.length === 0) return answers as QuantileForecast[];
    const made = await forecast(
      open.map(i => series[i]!),
      horizon,
    );
    open.forEach((i, k) => {
      answers[i] = made[k]!;
      keep(names[i]!, made[k]!);
    });
    return answers as QuantileForecast[];
  };
}

/** Name, list and object beside the values. */
const BESIDE = 300;
const sizeOf = ({ values }: Pick<QuantileForecast, 'values'>): number => values.byteLength + BESIDE;

function nameOf(of: string, { values, period, times, covariates }: ForecastSeries, horizon: number): string {
  const read = Object.entries(covariates ?? {}).map(([name, column]) => `${name} ${digest(column)} `);
  const when = times ? `${times.start} ${times.step.ms} ${times.step.months} ` : '';
  return `${digest(values)} ${period} ${horizon} ${when}${read.join('')}${of}`;
}

const digest = ({ buffer, byteOffset, byteLength }: Float64Array): string =>
  hash('sha256', new Uint8Array(buffer, byteOffset, byteLength), 'base64');
