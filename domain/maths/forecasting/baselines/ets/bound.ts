/** A band is at most so many times as wide as that of what changed over as many steps in the past. */
const MOST_WIDER = 2;
/** Fewer changes than this say nothing of a lag. */
const FEWEST_CHANGES = 10;

/**
 * Variances of the steps ahead, none beyond what the series' own past allows. A line whose slope follows each
 * error makes the variance grow with the cube of the steps: right by the model, and far beyond anything an
 * hourly series does in a week. The bound is four times the mean squared change over as many steps, pairs
 * with a missing value left out; beyond half of the series' length it grows as that of a line does, with the
 * square of the steps. Series too short to say anything bound nothing.
 */
export function bounded(variances: Float64Array, series: Float64Array): Float64Array {
  const longest = Math.min(Math.floor(series.length / 2), series.length - FEWEST_CHANGES);
  if (longest < 1) return variances;
  const squares = Float64Array.from({ length: Math.min(longest, variances.length) }, (_, h) =>
    meanSquaredChange(series, h + 1),
  );
  let most = 0;
  return variances.map((variance, h) => {
    most = Math.max(most, squares[h] ?? 0);
    const beyond = Math.max(1, (h + 1) / longest) ** 2;
    return most > 0 ? Math.min(variance, MOST_WIDER ** 2 * most * beyond) : variance;
  });
}

/** Mean of (x[t] - x[t - lag])^2 over the pairs that are known, 0 where there are too few. */
function meanSquaredChange(series: Float64Array, lag: number): number {
  let sum = 0;
  let count = 0;
  for (let t = lag; t < series.length; t++) {
    const change = series[t]! - series[t - lag]!;
    if (Number.isNaN(change)) continue;
    sum += change * change;
    count++;
  }
  return count < FEWEST_CHANGES ? 0 : sum / count;
}
