import type { Forecaster, ForecastSeries } from '../maths/forecasting/forecaster.js';
import { fixed } from '../maths/series/grid.js';
import { Rejected } from '../rejected.js';
import { DAY } from '../time.js';

const LENGTH = 64;
const STEPS = 4;

const VALUES = Float64Array.from({ length: LENGTH }, (_, i) => 100 + i + 10 * ((i % 12) - 6));

/**
 * A short series with a season: what a model is asked to forecast, so many steps, to see whether it works.
 * `reads`: names of the covariates that it must be given.
 */
export const probedOf = (reads: readonly string[], horizon: number): readonly ForecastSeries[] => [
  {
    values: VALUES,
    period: 12,
    times: { start: Date.UTC(2026, 0, 5), step: fixed(DAY) },
    ...(reads.length > 0 && {
      covariates: Object.fromEntries(reads.map(name => [name, new Float64Array(LENGTH + horizon)])),
    }),
  },
];

/**
 * One real forward pass. Rejects with what the forecaster does, and with a refusal where the answer is
 * no forecast: something missing, or quantiles that are not numbers in their order. `reads`: as of
 * `probedOf`.
 */
export async function forwardPass(
  { forecast, caps }: Pick<Forecaster, 'forecast' | 'caps'>,
  signal: AbortSignal,
  reads: readonly string[] = [],
): Promise<void> {
  const horizon = Math.min(STEPS, caps.horizon);
  const [answer] = await forecast(probedOf(reads, horizon), horizon, signal);
  const { values = new Float64Array(), levels = [] } = answer?.quantiles ?? {};
  if (values.length !== horizon * levels.length || values.length === 0)
    throw noForecast(`the model gave ${values.length} numbers for ${horizon} steps`);
  values.forEach((value, i) => {
    const isFirst = i % levels.length === 0;
    if (!Number.isFinite(value) || (!isFirst && value < values[i - 1]!))
      throw noForecast('the model gave quantiles that are no numbers in their order');
  });
}

const noForecast = (message: string): Rejected => new Rejected('unprocessable', 'probe_failed', message);
