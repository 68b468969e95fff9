// The simple ways to fill gaps that a model is held against.

/** Missing values on a straight line between the known ones; at the ends the nearest known one. */
export function interpolated(values: Float64Array): Float64Array {
  const filled = values.slice();
  const known = [...values.keys()].filter(i => !Number.isNaN(values[i]!));
  filled.fill(values[known[0]!]!, 0, known[0]);
  known.forEach((at, k) => {
    const next = known[k + 1] ?? values.length;
    const end = values[next] ?? values[at]!;
    for (let i = at + 1; i < next; i++)
      filled[i] = values[at]! + ((end - values[at]!) * (i - at)) / (next - at);
  });
  return filled;
}

/**
 * The same of what is left when the season is taken out, with the season put back: of each phase the mean
 * distance from the moving average over a period, of the known values. Without two whole periods, or with
 * none, as `interpolated`.
 */
export function seasonallyInterpolated(values: Float64Array, period: number): Float64Array {
  if (period < 2 || values.length < 2 * period) return interpolated(values);
  const season = seasonOf(values, period);
  const phase = (i: number): number => season[i % period]!;
  return interpolated(values.map((value, i) => value - phase(i))).map((value, i) => value + phase(i));
}

function seasonOf(values: Float64Array, period: number): Float64Array {
  const trend = movingAverage(interpolated(values), period);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  values.forEach((value, i) => {
    const distance = value - trend[i]!;
    if (!Number.isNaN(distance)) {
      sums[i % period]! += distance;
      counts[i % period]!++;
    }
  });
  const means = sums.map((sum, k) => (counts[k]! > 0 ? sum / counts[k]! : 0));
  const middle = means.reduce((a, b) => a + b, 0) / period;
  return means.map(mean => mean - middle);
}

/**
 * Centred, over a whole period (of an even one half of each value at its two ends); NaN where it does not
 * fit.
 */
function movingAverage(values: Float64Array, period: number): Float64Array {
  const half = period >> 1;
  const even = period % 2 === 0;
  return values.map((_, at) => {
    if (at < half || at + half >= values.length) return NaN;
    let sum = 0;
    for (let i = at - half; i <= at + half; i++)
      sum += values[i]! * (even && Math.abs(i - at) === half ? 0.5 : 1);
    return sum / period;
  });
}
