import type { QuantileForecast } from '../maths/forecasting/quantiles.js';
import { LEVELS } from '../maths/forecasting/quantiles.js';
import { atLevels } from '../maths/forecasting/tails.js';

/**
 * The mean of several forecasts of one series, quantile by quantile (Vincent's average), at the nine levels;
 * weights are not negative and add up to 1. Quantiles do not cross where those of the members do not.
 */
export function meanForecast(
  members: readonly { readonly forecast: QuantileForecast; readonly weight: number }[],
): QuantileForecast {
  const horizon = members[0]!.forecast.horizon;
  const values = new Float64Array(horizon * LEVELS.length);
  for (const { forecast, weight } of members)
    atLevels(forecast, LEVELS).values.forEach((value, i) => {
      values[i]! += weight * value;
    });
  return { horizon, levels: LEVELS, values };
}
