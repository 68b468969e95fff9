import { stepOf, type QuantileForecast } from '../../quantiles.js';
import { summed, type Baseline, type Freeze } from '../baseline.js';
import { ets, frozenEts } from '../ets/index.js';
import { betweenNumbers, filled } from '../gaps.js';
import { stl } from './stl.js';

/** `seasons` by period, in the order of the periods; what is left of the values is the rest. */
export type Decomposition = { readonly seasons: readonly Float64Array[]; readonly trend: Float64Array };

/** Rounds over several seasons. */
const ROUNDS = 2;

/**
 * MSTL (Bandara, Hyndman and Bergmeir 2021): STL for one period after the other, from the shortest on, each
 * on what the other seasons leave, the window of season i being 7 + 4i values of a phase. The series has no
 * gaps; `periods` ascend, each from 2 to less than half its length.
 */
export function mstlOf(values: Float64Array, periods: readonly number[]): Decomposition {
  const seasons = periods.map((): Float64Array => new Float64Array(values.length));
  let trend: Float64Array = new Float64Array(values.length);
  let rest: Float64Array = values.slice();
  for (let round = 0; round < (periods.length > 1 ? ROUNDS : 1); round++)
    periods.forEach((period, i) => {
      const own = rest.map((value, t) => value + seasons[i]![t]!);
      const found = stl(own, period, 7 + 4 * (i + 1));
      seasons[i] = found.season;
      trend = found.trend;
      rest = own.map((value, t) => value - found.season[t]!);
    });
  return { seasons, trend };
}

/**
 * Seasons by MSTL, which go on as they were in their last period, and ETS without a season for the rest (as
 * `stlf` of R's forecast has it): so seasons may be long, and several. Normal, with the variances of ETS
 * alone. Gaps are filled first for the seasons; a period that is not below half the length is left out.
 */
export const mstlWith = (periods: readonly number[]): Baseline =>
  betweenNumbers((series, _, horizon) => {
    const kept = [...new Set(periods)].filter(period => period >= 2 && 2 * period < series.length);
    kept.sort((a, b) => a - b);
    const { seasons } = mstlOf(filled(series, kept.at(-1) ?? 1), kept);
    const seasonAt = (t: number): number => seasons.reduce((sum, season) => sum + season[t]!, 0);
    const adjusted = series.map((value, t) => value - seasonAt(t));
    const forecast = ets(adjusted, 1, horizon);
    return shifted(forecast, h =>
      seasons.reduce((sum, season, i) => sum + season[season.length - kept[i]! + (h % kept[i]!)]!, 0),
    );
  });

/** The same with the one period that it is asked with. */
export const mstl: Baseline = (series, period, horizon) => mstlWith([period])(series, period, horizon);

export const frozenMstl: Freeze = (series, period, horizon) => {
  const kept = period >= 2 && 2 * period < series.length ? [period] : [];
  const parted = (values: Float64Array) => {
    const [season] = mstlOf(values, kept).seasons;
    const rest = values.map((value, t) => value - (season?.[t] ?? 0));
    const ahead = (h: number): number => season?.[season.length - period + (h % period)] ?? 0;
    return { rest, ahead };
  };
  const frozen = frozenEts(parted(series).rest, 1, horizon);
  return summed(values => {
    const { rest, ahead } = parted(values);
    return frozen.medians(rest).map((median, h) => median + ahead(h));
  });
};

function shifted(forecast: QuantileForecast, by: (step: number) => number): QuantileForecast {
  const { horizon, levels } = forecast;
  const values = forecast.values.slice();
  for (let step = 0; step < horizon; step++)
    values.set(
      stepOf(forecast, step).map(value => value + by(step)),
      step * levels.length,
    );
  return { ...forecast, values };
}
