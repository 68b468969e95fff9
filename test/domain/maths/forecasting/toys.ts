import type { ForecastMany, ForecastSeries } from '../../../../domain/maths/forecasting/forecaster.js';
import { normalForecast, type QuantileForecast } from '../../../../domain/maths/forecasting/quantiles.js';
import { normalQuantile } from '../../../../domain/maths/statistics/distributions.js';
import { randomOf } from '../../../random.js';

/** Standard normal numbers, the same for the same seed. */
export const normals = (seed: number): (() => number) => {
  const random = randomOf(seed);
  return () => normalQuantile(Math.max(1e-12, random.next()));
};

const forecasting =
  (one: (series: ForecastSeries, horizon: number) => QuantileForecast): ForecastMany =>
  (many, horizon) =>
    Promise.resolve(many.map(series => one(series, horizon)));

const steps = (horizon: number, of: (step: number) => number): Float64Array =>
  Float64Array.from({ length: horizon }, (_, h) => of(h));

/**
 * The right forecast of a random walk whose steps have this deviation; it reads the last value, which must be
 * known.
 */
export const walkForecast = (deviation: number): ForecastMany =>
  forecasting(({ values }, horizon) =>
    normalForecast(
      steps(horizon, () => values.at(-1)!),
      steps(horizon, h => deviation * Math.sqrt(h + 1)),
    ),
  );

/** The right forecast of normal noise around a level. */
export const noiseForecast = (level: number, deviation: number): ForecastMany =>
  forecasting((_, horizon) =>
    normalForecast(
      steps(horizon, () => level),
      steps(horizon, () => deviation),
    ),
  );

/** What was known last at the same place in the season. */
export const seasonalForecast = (deviation: number): ForecastMany =>
  forecasting(({ values, period }, horizon) => {
    const at = (step: number): number => {
      for (let i = values.length + (step % period) - period; i >= 0; i -= period)
        if (!Number.isNaN(values[i]!)) return values[i]!;
      return NaN;
    };
    return normalForecast(
      steps(horizon, at),
      steps(horizon, () => deviation),
    );
  });

export const sine = (length: number, period: number, of = (_: number): number => 0): Float64Array =>
  Float64Array.from({ length }, (_, i) => 10 + 5 * Math.sin((2 * Math.PI * i) / period) + of(i));
