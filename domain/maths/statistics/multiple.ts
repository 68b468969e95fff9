/**
 * What many tests at once mean together. NaN stands for a test that was not made: it counts nowhere and stays
 * NaN.
 */

/**
 * Benjamini and Hochberg (1995): the q values of p values, the share of false finds among all with a q at
 * most as large.
 */
export function benjaminiHochberg(p: ArrayLike<number>): Float64Array {
  const order = ascending(p);
  const q = new Float64Array(p.length).fill(NaN);
  let least = 1;
  for (let rank = order.length; rank > 0; rank--) {
    const i = order[rank - 1]!;
    least = Math.min(least, (p[i]! * order.length) / rank);
    q[i] = least;
  }
  return q;
}

/**
 * Simes (1986): one p value for "none of these hypotheses is false", min p(i) m / i over the ordered p
 * values; valid for independent and for positively dependent tests (Sarkar 1998). NaN for none.
 */
export function simes(p: ArrayLike<number>): number {
  const order = ascending(p);
  return order.length === 0
    ? NaN
    : order.reduce((least, i, rank) => Math.min(least, (p[i]! * order.length) / (rank + 1)), 1);
}

/** The places of the numbers in ascending order, without those of NaN. */
function ascending(p: ArrayLike<number>): number[] {
  return Array.from(p, (_, i) => i)
    .filter(i => !Number.isNaN(p[i]!))
    .sort((a, b) => p[a]! - p[b]! || a - b);
}
