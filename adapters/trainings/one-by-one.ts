import { setImmediate } from 'node:timers/promises';
import type { ForecastMany, ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../../domain/maths/forecasting/quantiles.js';

/** One series after the other; between them others have their turn, such as messages that are sent. */
export const oneByOne =
  (forecast: (series: ForecastSeries, steps: number) => Promise<QuantileForecast>): ForecastMany =>
  async (series, steps) => {
    const made: QuantileForecast[] = [];
    for (const one of series) {
      made.push(await forecast(one, steps));
      await setImmediate();
    }
    return made;
  };
