import { stepOf, type QuantileForecast } from '../quantiles.js';

/**
 * The first `length` steps of a forecast, a row of quantiles each, when the value of the step after them is
 * known. Of what the forecast missed there, step i of n has gathered i / n where errors last (a random walk,
 * `lasting` 1: the median becomes a straight line, the variance that of the Brownian bridge, exactly) and
 * nothing where they do not (noise, 0).
 */
export function bridged(
  forecast: QuantileForecast,
  length: number,
  known: number,
  lasting: number,
): Float64Array[] {
  const middle = forecast.levels.indexOf(0.5);
  const end = stepOf(forecast, length);
  return Array.from({ length }, (_, i) => {
    const row = stepOf(forecast, i);
    const share = (lasting * (i + 1)) / (length + 1);
    const shift = share * (known - end[middle]!);
    const narrower = narrowed(widthOf(row), share * widthOf(end));
    return row.map(x => row[middle]! + shift + narrower * (x - row[middle]!));
  });
}

/** What is left of a band's width, as a share, without the part that is now known. */
const narrowed = (width: number, known: number): number =>
  width > 0 ? Math.sqrt(Math.max(0, 1 - (known / width) ** 2)) : 1;

const widthOf = (quantiles: Float64Array): number => quantiles.at(-1)! - quantiles[0]!;

/**
 * How far an error lasts until the next step, 0..1: (mean |change over two steps| / mean |change over one|)^2
 * - 1, of the changes from season to season. It is 1 for a random walk and all that is smoother, 0 for noise,
 * and f for an autoregression x[t] = f x[t - 1] + noise; 1 where nothing changes.
 */
export function lastingOf(values: Float64Array, period: number): number {
  const seasonal = period > 1 && values.length > period + 2 ? changes(values, period) : values;
  const one = meanSize(changes(seasonal, 1));
  const two = meanSize(changes(seasonal, 2));
  return one > 0 && two > 0 ? Math.min(1, Math.max(0, (two / one) ** 2 - 1)) : 1;
}

const changes = (values: Float64Array, over: number): Float64Array =>
  values.subarray(over).map((value, i) => value - values[i]!);

/** Of the known ones; 0 of none. */
function meanSize(values: Float64Array): number {
  const known = values.filter(value => !Number.isNaN(value));
  return known.reduce((sum, value) => sum + Math.abs(value) / known.length, 0);
}
