import { smooth } from './loess.js';

/** The season and the trend of each value; what is left is the rest. */
export type Stl = { readonly season: Float64Array; readonly trend: Float64Array };

/** Rounds of season and trend in turns, as many as statsmodels takes. */
const ROUNDS = 5;

/**
 * STL (Cleveland, Cleveland, McRae and Terpenning 1990), not robust, of degree 1 throughout, with no jumps:
 * each phase of the season is smoothed by itself over `window` of its values (odd, 7 or more), and what is
 * slower than the season is taken off. The series has no gaps and more than two periods of 2 steps or more.
 */
export function stl(values: Float64Array, period: number, window: number): Stl {
  const trendWindow = odd(Math.ceil((1.5 * period) / (1 - 1.5 / window)));
  let season: Float64Array = new Float64Array(values.length);
  let trend: Float64Array = new Float64Array(values.length);
  for (let round = 0; round < ROUNDS; round++) {
    const cycles = smoothPhases(
      values.map((value, t) => value - trend[t]!),
      period,
      window,
    );
    const slow = smooth(withoutCycles(cycles, period), odd(period + 1));
    season = slow.map((level, t) => cycles[t + period]! - level);
    trend = smooth(
      values.map((value, t) => value - season[t]!),
      trendWindow,
    );
  }
  return { season, trend };
}

const odd = (x: number): number => x + ((x + 1) % 2);

/** Each phase smoothed, with a period more at either end. */
function smoothPhases(values: Float64Array, period: number, window: number): Float64Array {
  const cycles = new Float64Array(values.length + 2 * period);
  for (let phase = 0; phase < period; phase++) {
    const own = values.filter((_, t) => t % period === phase);
    smooth(own, window, 1).forEach((value, i) => {
      cycles[i * period + phase] = value;
    });
  }
  return cycles;
}

/** Moving averages over a period, over a period again, and over 3: as long as the series is. */
const withoutCycles = (cycles: Float64Array, period: number): Float64Array =>
  movingMean(movingMean(movingMean(cycles, period), period), 3);

function movingMean(values: Float64Array, count: number): Float64Array {
  const means = new Float64Array(values.length - count + 1);
  let sum = 0;
  for (let i = 0; i < count; i++) sum += values[i]!;
  means[0] = sum / count;
  for (let i = 1; i < means.length; i++) {
    sum += values[i + count - 1]! - values[i - 1]!;
    means[i] = sum / count;
  }
  return means;
}
