import { forecastSeries } from '../../domain/inference/forecast-series.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import { Rejected } from '../../domain/rejected.js';
import { pathTo, type PathDeps } from './paths.js';

/** Forecasts series by whatever can forecast a goal; see `ForecastBy`. */
export const forecastBy =
  (deps: PathDeps): ForecastBy =>
  async (workspace, model, series, wanted, signal, leftMs) => {
    const { many, lookback, maxHorizon } = await pathTo(deps, workspace, model, { signal, leftMs });
    if (wanted.horizon > maxHorizon) throw tooFar(wanted.horizon, maxHorizon);
    const read = { ...wanted, lookback: Math.min(wanted.lookback, lookback), maxHorizon };
    const made = await forecastSeries(series, read, many);
    made.forEach(mindNumbers);
    return made;
  };

function mindNumbers({ id, mean, quantiles }: SeriesForecasted): void {
  const columns = [mean, ...quantiles.map(({ values }) => values)];
  if (columns.every(column => column.every(Number.isFinite))) return;
  throw new Rejected(
    'unprocessable',
    'invalid_series',
    `${id} cannot be forecast: its numbers are too large, and what follows from them is infinite`,
    { id },
  );
}

export const tooFar = (horizon: number, cap: number): Rejected =>
  new Rejected('invalid', 'horizon_above_cap', `horizon ${horizon} is above the cap of ${cap} of its model`, {
    ...{ field: 'horizon', cap, given: horizon },
  });
