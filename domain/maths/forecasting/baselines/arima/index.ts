import { medians, normalForecast, type QuantileForecast } from '../../quantiles.js';
import { summed, type Baseline, type Freeze } from '../baseline.js';
import { betweenNumbers, filled } from '../gaps.js';
import { naive } from '../naive.js';
import { difference, differencesFor, hasStrongSeason } from './differences.js';
import type { ArimaFit, Orders } from './fit.js';
import { filter, stepped } from './likelihood.js';
import { product, quotient } from './polynomials.js';
import { search } from './search.js';

/** A longer season has too long a past to be fitted in seconds. */
const LONGEST_PERIOD = 60;

export type Model = {
  /** How often the series was differenced, and over its season. */
  readonly d: number;
  readonly D: number;
  readonly period: number;
  readonly fit: ArimaFit;
};

/** `arima` with some orders alone, as far as a series is long enough for them; [] or none that fits: any. */
export const arimaAmong = (orders: readonly Orders[]): Baseline =>
  betweenNumbers((series, period, horizon) => {
    const values = gapless(series, period);
    const model = modelOf(values, period, orders);
    return model ? ahead(model, values, horizon) : naive(series, period, horizon);
  });

/**
 * Seasonal ARIMA with orders found automatically (Hyndman and Khandakar 2008): differenced over the season
 * where that is strong (one of 2 to 60 steps, more than twice in the series), then until the KPSS test finds
 * it stationary; orders of the least AICc by stepwise search, each by exact likelihood; a mean where nothing
 * is differenced, a drift where once. Normal, with the variance of the model's errors; that its coefficients
 * are estimates is not in the bands. Gaps are filled first (`filled`). A series too short for any model gets
 * the naive forecast. Takes seconds for a long series with a season.
 */
export const arima: Baseline = arimaAmong([]);

/** Filled along its season, where that is strong. */
export const gapless = (series: Float64Array, period: number): Float64Array =>
  filled(series, hasStrongSeason(filled(series, 1), period) ? period : 1);

/** The model for a series without gaps; null where it is too short for any. */
export function modelOf(values: Float64Array, period: number, among: readonly Orders[] = []): Model | null {
  const season = period <= LONGEST_PERIOD ? period : 1;
  const D = hasStrongSeason(values, season) ? 1 : 0;
  const d = differencesFor(D ? difference(values, season) : values);
  const stationary = differenced(values, d, D ? season : 0);
  const fit = search(stationary, values.length, season, d + D <= 1, among);
  return fit && { d, D, period: season, fit };
}

/** Over the season first, where it is not 0. */
function differenced(values: Float64Array, d: number, season: number): Float64Array {
  let left = season > 0 ? difference(values, season) : values;
  for (let i = 0; i < d; i++) left = difference(left, 1);
  return left;
}

export const frozenArimaAmong =
  (orders: readonly Orders[]): Freeze =>
  (series, period, horizon) => {
    const model = modelOf(series, period, orders);
    if (!model) return summed(values => medians(naive(values, period, horizon)));
    const { fit, d, D } = model;
    return summed(values => {
      const stationary = differenced(values, d, D ? model.period : 0).map(value => value - fit.mean);
      const { state } = filter(fit.arma, stationary)!;
      return medians(ahead({ ...model, fit: { ...fit, state } }, values, horizon));
    });
  };

export const frozenArima: Freeze = frozenArimaAmong([]);

function ahead({ d, D, period, fit }: Model, values: Float64Array, horizon: number): QuantileForecast {
  const { phi, theta } = fit.arma;
  const n = values.length;
  const differencing = product(once(d), D ? Float64Array.of(1) : new Float64Array(0), period);
  const known = new Float64Array(n + horizon);
  known.set(values);
  let { state } = fit;
  for (let t = n; t < known.length; t++) {
    known[t] = differencing.reduce((sum, c, k) => sum + c * known[t - 1 - k]!, fit.mean + state[0]!);
    state = stepped(phi, state);
  }
  const psi = quotient(product(phi, differencing, 1), theta, horizon);
  let squares = 0;
  const deviations = psi.map(weight => {
    squares += weight * weight;
    return Math.sqrt(fit.variance * squares);
  });
  return normalForecast(known.slice(n), deviations);
}

/** (1 - B)^d for d up to 2. */
const once = (d: number): Float64Array => Float64Array.from([[], [1], [2, -1]][d]!);
