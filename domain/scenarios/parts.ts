/** A double holds whole numbers of so many bits; some are left for adding up. */
const BITS = 46;

/**
 * What each of several steps added, of the totals after each of them (before the first there was 0). Totals
 * are taken to a common binary grid that is 2^-46 of the largest, far below what any digit of theirs means:
 * on it differences and sums are exact, so that the parts add up to the total to the last bit, in any order,
 * and no rest has to be given to anybody.
 */
export function partsOf(totals: readonly number[]): {
  readonly total: number;
  readonly parts: readonly number[];
} {
  const largest = totals.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const grid = largest === 0 ? 1 : 2 ** Math.max(-1_022, Math.ceil(Math.log2(largest)) - BITS);
  const onGrid = totals.map(total => Math.round(total / grid) * grid + 0);
  return {
    total: onGrid.at(-1) ?? 0,
    parts: onGrid.map((total, k) => total - (onGrid[k - 1] ?? 0)),
  };
}
