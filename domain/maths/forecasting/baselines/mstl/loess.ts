/**
 * A value of the smooth curve through equally spaced values (LOESS of degree 1 with tricube weights,
 * Cleveland et al. 1990, as the authors' own program has it): from the line through the `window` values
 * nearest to the place `at` (from 0; it may lie beyond the ends), the nearer ones weighing more. `from` to
 * `to` - 1 are the places of these; a window longer than the series counts as wide as it is. `weights` is
 * scratch.
 */
function smoothAt(
  values: Float64Array,
  at: number,
  from: number,
  to: number,
  window: number,
  weights: Float64Array,
): number {
  const n = values.length;
  const reach = Math.max(at - from, to - 1 - at) + (window > n ? Math.floor((window - n) / 2) : 0);
  let total = 0;
  for (let j = from; j < to; j++) {
    const away = Math.abs(j - at);
    let weight = 0;
    if (away <= 0.001 * reach) weight = 1;
    else if (away <= 0.999 * reach) weight = (1 - (away / reach) ** 3) ** 3;
    weights[j] = weight;
    total += weight;
  }
  if (total <= 0) return values[Math.min(n - 1, Math.max(0, at))]!;
  let middle = 0;
  for (let j = from; j < to; j++) middle += (weights[j]! / total) * j;
  let spread = 0;
  for (let j = from; j < to; j++) spread += (weights[j]! / total) * (j - middle) ** 2;
  // Where the weight lies on one place there is no line
  const slope = Math.sqrt(spread) > 0.001 * (n - 1) ? (at - middle) / spread : 0;
  let sum = 0;
  for (let j = from; j < to; j++) sum += (weights[j]! / total) * (1 + slope * (j - middle)) * values[j]!;
  return sum;
}

/** The curve at each value, and where `beyond` is 1 also one place before the first and after the last. */
export function smooth(values: Float64Array, window: number, beyond: 0 | 1 = 0): Float64Array {
  const n = values.length;
  if (n < 2) return new Float64Array(n + 2 * beyond).fill(values[0]!);
  const width = Math.min(window, n);
  const weights = new Float64Array(n);
  const curve = new Float64Array(n + 2 * beyond);
  for (let at = -beyond; at < n + beyond; at++) {
    const from = Math.min(n - width, Math.max(0, at - Math.floor(window / 2)));
    curve[at + beyond] = smoothAt(values, at, from, from + width, window, weights);
  }
  return curve;
}
