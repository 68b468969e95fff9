import * as assert from 'uvu/assert';
import { medians, type QuantileForecast } from '../../../../domain/maths/forecasting/quantiles.js';

const Z90 = 1.2815515655446004;

/**
 * A forecast is normal with these means and standard deviations at its first steps, and the last of them at
 * its last; to `share` of the scale of the numbers.
 */
export function expectNormal(
  forecast: QuantileForecast,
  means: number[],
  deviations: number[] | null,
  share = 1e-6,
): void {
  const { horizon, values } = forecast;
  const middle = medians(forecast);
  means.forEach((mean, i) => {
    const step = i === means.length - 1 ? horizon - 1 : i;
    const deviation = (values[step * 9 + 8]! - middle[step]!) / Z90;
    near(middle[step]!, mean, share, `mean at step ${step}`);
    if (deviations) near(deviation, deviations[i]!, share, `deviation at step ${step}`);
    near(values[step * 9]! + values[step * 9 + 8]!, 2 * middle[step]!, 1e-9, `symmetry at step ${step}`);
  });
}

function near(actual: number, expected: number, share: number, what: string): void {
  assert.ok(
    Math.abs(actual - expected) <= share * Math.max(1e-3, Math.abs(expected)),
    `${what}: ${actual}, not ${expected}`,
  );
}
