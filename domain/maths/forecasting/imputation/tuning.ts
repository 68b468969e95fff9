import { quantile } from '../../series/quantile.js';
import { medians, stepOf, type QuantileForecast } from '../quantiles.js';
import { lineOf, type Hole } from './holes.js';
import { byRows, type HoleForecast } from './two-sided.js';

/**
 * How forecasts of holes are corrected. `share`: how much of the median is forecast, the rest is a straight
 * line; `wider`: the factor on the distances from the median.
 */
export type Tuning = { readonly share: number; readonly wider: number };

const SHARES = [1, 0.75, 0.5, 0.25, 0];
const WIDEST_FACTOR = 8;
const BAND = 0.8;

/** The rows moved towards the line, their distances from the median scaled. */
export const adjusted = (
  forecast: QuantileForecast,
  line: Float64Array,
  { share, wider }: Tuning,
): QuantileForecast => {
  const middle = medians(forecast);
  return byRows(forecast.levels, forecast.horizon, step => {
    const moved = share * middle[step]! + (1 - share) * line[step]!;
    return stepOf(forecast, step).map(x => moved + wider * (x - middle[step]!));
  });
};

type Trial = {
  readonly hole: Hole;
  readonly forecast: QuantileForecast;
  readonly line: Float64Array;
};

/**
 * The share of the forecasts in the median that would have come nearest to the values of the trials, and the
 * factor by which their 80% bands would have held 80% of them. Without trials the forecasts as they are.
 */
export function tuned(values: Float64Array, holes: readonly Hole[], forecastOf: HoleForecast): Tuning {
  if (!holes.length) return { share: 1, wider: 1 };
  const trials = holes.map(hole => ({ hole, forecast: forecastOf(hole), line: lineOf(values, hole) }));
  const { share, misses } = bestShare(values, trials);
  const halves = trials.flatMap(({ forecast }) =>
    Array.from({ length: forecast.horizon }, (_, i) => halfWidthOf(stepOf(forecast, i))),
  );
  const ratios = misses
    .flatMap((miss, i) => (halves[i]! > 0 ? [miss / halves[i]!] : []))
    .sort((a, b) => a - b);
  if (!ratios.length) return { share, wider: 1 };
  const wider = Math.min(WIDEST_FACTOR, Math.max(1 / WIDEST_FACTOR, quantile(ratios, BAND)));
  return { share, wider };
}

/** The share with the smallest misses in all, the greater of equals, and those misses. */
function bestShare(values: Float64Array, trials: readonly Trial[]): { share: number; misses: number[] } {
  const candidates = SHARES.map(share => ({ share, misses: missesAt(values, trials, share) }));
  return candidates.reduce((a, b) => (sum(b.misses) < sum(a.misses) ? b : a));
}

const missesAt = (values: Float64Array, trials: readonly Trial[], share: number): number[] =>
  trials.flatMap(({ hole, forecast, line }) =>
    [...medians(forecast)].map((x, i) =>
      Math.abs(share * x + (1 - share) * line[i]! - values[hole.from + i]!),
    ),
  );

const halfWidthOf = (row: Float64Array): number => (row.at(-1)! - row[0]!) / 2;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);
