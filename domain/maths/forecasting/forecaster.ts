import { Rejected } from '../../rejected.js';
import type { Step } from '../series/grid.js';
import type { QuantileForecast } from './quantiles.js';

/**
 * What is to be forecast: values at equal steps, newest last, NaN where missing; `period`: after how many
 * steps the main season comes again (12 for months of a year, 24 for hours of a day), 1 for none.
 */
export type ForecastSeries = {
  readonly values: Float64Array;
  readonly period: number;
  /** When the values were, for models that read it: the first at `start` (epoch ms). */
  readonly times?: { readonly start: number; readonly step: Step };
  /** By name, as long as values and horizon together, NaN where not known: for models that read it. */
  readonly covariates?: Readonly<Record<string, Float64Array>>;
};

/** `embedding`: what the model made of the series, for `classify`; as long as the model is wide. */
export type SeriesForecast = { readonly quantiles: QuantileForecast; readonly embedding: Float32Array };

/** `context`: how many of the newest values are read; `horizon`: how many steps ahead at most. */
export type ForecasterCaps = { readonly context: number; readonly horizon: number };

/** What a model does well enough to have been evaluated on. */
export const FORECASTER_TASKS = [
  'forecast',
  'impute',
  'anomaly',
  'embed',
  'classify',
  'multivariate',
] as const;
export type ForecasterTask = (typeof FORECASTER_TASKS)[number];

/**
 * A pretrained model that forecasts series it has never seen. `version` is that of its file: equal values,
 * period and version give equal bits on one machine, whatever else is asked for, and the first steps do not
 * depend on the horizon.
 */
export type Forecaster = {
  readonly slug: string;
  readonly version: string;
  readonly caps: ForecasterCaps;
  readonly tasks: readonly ForecasterTask[];
  /**
   * The next `horizon` steps of many series, in their order. The values must stay as they are until the
   * answer.
   *
   * Rejects with `Rejected` (unprocessable: what is wrong with which series, see `checkForecastable`; too
   * many at once), `Cancelled` when `signal` aborts, `Overloaded` when too much is under way or the server is
   * ending, and an Error for all else (a fault of ours). A call gives all or nothing.
   */
  forecast(
    series: readonly ForecastSeries[],
    horizon: number,
    signal: AbortSignal,
  ): Promise<SeriesForecast[]>;
};

/** Forecasts many series in one call, in their order: what `impute`, `anomaly` and `covariates` stand on. */
export type ForecastMany = (
  series: readonly ForecastSeries[],
  horizon: number,
) => Promise<readonly QuantileForecast[]>;

/** So many series at once, so that a long list stays within what a forecaster takes. */
const AT_ONCE = 1_024;

/** Asks in lots of 1,024 series, one after the other. */
export const forecastManyOf =
  ({ forecast }: Pick<Forecaster, 'forecast'>, signal: AbortSignal): ForecastMany =>
  async (series, horizon) => {
    const made: QuantileForecast[] = [];
    for (let from = 0; from < series.length; from += AT_ONCE)
      for (const { quantiles } of await forecast(series.slice(from, from + AT_ONCE), horizon, signal))
        made.push(quantiles);
    return made;
  };

/** After so many missing values in a row there is nothing left to forecast from. */
const LONGEST_SILENCE = 512;

/** Whether one of the newest 512 values before `origin` is known. */
export const knownBefore = (values: Float64Array, origin: number): boolean =>
  values.subarray(Math.max(0, origin - LONGEST_SILENCE), origin).some(value => !Number.isNaN(value));

/** What a forecaster reads of a series: the newest values, a view. */
export const contextOf = (values: Float64Array, { context }: ForecasterCaps): Float64Array =>
  values.subarray(-context);

/**
 * Refuses what cannot be forecast: a horizon that is no whole number from 1 to the cap, and a series without
 * a known value among those that are read, with an infinite value among them, or with a period that is no
 * whole number from 1 on.
 * @throws Rejected with `details.horizon`, or with `details.index`, the place of the series in the list
 */
export function checkForecastable(
  series: readonly ForecastSeries[],
  horizon: number,
  caps: ForecasterCaps,
): void {
  if (!isWhole(horizon) || horizon > caps.horizon)
    throw new Rejected(
      'unprocessable',
      'invalid_horizon',
      `The horizon must be a whole number from 1 to ${caps.horizon}, not ${horizon}`,
      { horizon, max_horizon: caps.horizon },
    );
  series.forEach(({ values, period }, index) => {
    const fault = isWhole(period)
      ? faultOf(contextOf(values, caps))
      : `its period must be a whole number, not ${period}`;
    if (fault) throw unforecastable(index, fault);
  });
}

export const unforecastable = (index: number, fault: string): Rejected =>
  new Rejected('unprocessable', 'invalid_series', `Series ${index} cannot be forecast: ${fault}`, { index });

const isWhole = (x: number): boolean => Number.isSafeInteger(x) && x >= 1;

function faultOf(context: Float64Array): string | null {
  if (context.length === 0) return 'it has no values';
  const infinite = context.findIndex(x => Math.abs(x) === Infinity);
  if (infinite >= 0) return `value ${infinite - context.length} from its end is infinite`;
  return context.every(Number.isNaN) ? `none of its newest ${context.length} values is known` : null;
}
