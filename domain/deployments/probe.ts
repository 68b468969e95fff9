import type { Forecaster, ForecastSeries } from '../maths/forecasting/forecaster.js';

const LENGTH = 64;
const STEPS = 4;

/** A short series with a season: what a model is asked to forecast to see whether it works. */
export const PROBED: readonly ForecastSeries[] = [
  { values: Float64Array.from({ length: LENGTH }, (_, i) => 100 + i + 10 * ((i % 12) - 6)), period: 12 },
];

/**
 * One real forward pass. Rejects with what the forecaster does, and with an Error where the answer is no
 * forecast: something missing, or quantiles that are not numbers in their order.
 */
export async function forwardPass(
  { forecast, caps }: Pick<Forecaster, 'forecast' | 'caps'>,
  signal: AbortSignal,
): Promise<void> {
  const horizon = Math.min(STEPS, caps.horizon);
  const [answer] = await forecast(PROBED, horizon, signal);
  const { values = new Float64Array(), levels = [] } = answer?.quantiles ?? {};
  if (values.length !== horizon * levels.length || values.length === 0)
    throw new Error(`the model gave ${values.length} numbers for ${horizon} steps`);
  values.forEach((value, i) => {
    const isFirst = i % levels.length === 0;
    if (!Number.isFinite(value) || (!isFirst && value < values[i - 1]!))
      throw new Error('the model gave quantiles that are no numbers in their order');
  });
}
