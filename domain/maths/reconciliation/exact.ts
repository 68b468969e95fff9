/** Bits of a double's mantissa. */
const BITS = 53;

/**
 * Columns (one value for each step) rounded so that at each step any sum of them is exact, whichever are
 * added and in whatever order: to multiples of the power of two below which the sum of all their sizes holds
 * 2^53. A value moves by less than a 2^-51 part of that sum. Sums of these columns add up to the last bit.
 */
export function addingUp(columns: readonly Float64Array[]): Float64Array[] {
  const rounded = columns.map(column => column.slice());
  for (let h = 0; h < (columns[0]?.length ?? 0); h++) {
    const unit = unitFor(columns.reduce((sum, column) => sum + Math.abs(column[h]!), 0));
    // -0 would not be printed
    for (const column of rounded) column[h] = Math.round(column[h]! / unit) * unit + 0;
  }
  return rounded;
}

/** A power of two of which a number of this size holds at most 2^52; the least double where it must be. */
function unitFor(size: number): number {
  if (size === 0 || !Number.isFinite(size)) return 1;
  const exponent = Math.floor(Math.log2(size)) + 2 - BITS;
  return 2 ** Math.max(exponent, -1_074);
}
