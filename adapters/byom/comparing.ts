import { levelsIn, type Signature } from '../../domain/byom/signature.js';
import { seasonalNaive } from '../../domain/maths/forecasting/baselines/index.js';
import { medians } from '../../domain/maths/forecasting/quantiles.js';
import type { Found } from './messages.js';
import type { OpenNetwork } from './network.js';

/** Values that the seasonal naive forecast reads at least. */
const MOST_LEAD = 2_000;

/** Mean absolute errors from several origins, of both on the same steps. */
export async function againstNaive(
  network: OpenNetwork,
  { values, period }: { readonly values: Float64Array; readonly period: number },
  origins: readonly number[],
  signature: Signature,
): Promise<Found> {
  const { lookback, horizon } = signature;
  const levels = levelsIn(signature);
  const middle = levels.indexOf(0.5);
  let [own, naive, count] = [0, 0, 0];
  for (const origin of origins) {
    const history = values.subarray(Math.max(0, origin - Math.max(lookback, MOST_LEAD)), origin);
    const forecast = await network.run(values.subarray(Math.max(0, origin - lookback), origin));
    const other = medians(seasonalNaive(history, period, horizon));
    for (let step = 0; step < horizon; step++) {
      const actual = values[origin + step]!;
      if (!Number.isFinite(actual)) continue;
      own += Math.abs(actual - forecast.values[step * levels.length + middle]!);
      naive += Math.abs(actual - other[step]!);
      count++;
    }
  }
  if (count === 0) return { status: 'skipped', message: 'the series is too short to compare forecasts with' };
  const message = `mean absolute error ${figure(own / count)}, seasonal naive ${figure(naive / count)}`;
  return own < naive ? message : { status: 'warning', message: `${message}, on ${origins.length} forecasts` };
}

const figure = (value: number): string => value.toPrecision(4);
