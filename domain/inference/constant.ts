import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../maths/forecasting/quantiles.js';

/** From so many known values on that are all the same, the forecast is that value and nothing around it. */
const ENOUGH = 24;

/**
 * The same, and of a series that never changed exactly what it always was: networks scale what they read, and
 * answer 3.6999998 where all is 3.7. Of a few values that are the same, the median is that value, and the
 * bands stay as wide as the network has them: little is known yet.
 */
export const withConstants =
  (forecast: ForecastMany): ForecastMany =>
  async (series, horizon) => {
    const made = await forecast(series, horizon);
    return made.map((one, i) => settled(one, series[i]!.values));
  };

function settled(made: QuantileForecast, history: Float64Array): QuantileForecast {
  const constant = constantOf(history);
  const middle = made.levels.indexOf(0.5);
  if (!constant || middle < 0) return made;
  const { value, known } = constant;
  const count = made.levels.length;
  const values = made.values.map((quantile, i) => {
    const k = i % count;
    if (k === middle || known >= ENOUGH) return value;
    const moved = value + (quantile - made.values[i - k + middle]!);
    return k < middle ? Math.min(moved, value) : Math.max(moved, value);
  });
  return { ...made, values };
}

/** The one value that all known values are, and how many there are; null: they differ. */
function constantOf(values: Float64Array): { readonly value: number; readonly known: number } | null {
  let value = NaN;
  let known = 0;
  for (const one of values) {
    if (Number.isNaN(one)) continue;
    if (known > 0 && one !== value) return null;
    value = one;
    known++;
  }
  return known > 1 ? { value, known } : null;
}
