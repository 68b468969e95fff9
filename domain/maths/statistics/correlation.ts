/** Coefficients of correlation of two series, in rows where both have a value. NaN: there is none. */

/**
 * r and the number of rows it comes from; NaN where one side is constant there, or with fewer than 3 rows.
 */
export type Correlated = { readonly r: number; readonly n: number };

/** A series as the correlations take it: NaN where it has no value. */
export type Ranked = {
  readonly values: Float64Array;
  /** The rows with a value, by ascending value. */
  readonly order: Int32Array;
};

export const ranked = (values: Float64Array): Ranked => {
  const rows = Int32Array.from(values.keys()).filter(i => !Number.isNaN(values[i]!));
  return { values, order: rows.sort((a, b) => values[a]! - values[b]! || a - b) };
};

/** No coefficient, from n rows. */
const undefinedFrom = (n: number): Correlated => ({ r: NaN, n });

/** Scratch space: the numbers of the rows that both sides have. */
export type Scratch = { readonly x: Float64Array; readonly y: Float64Array };
export const scratchFor = (rows: number): Scratch => ({
  x: new Float64Array(rows),
  y: new Float64Array(rows),
});

/** Pearson's r of a[t] and b[t + lag]. The values are of mean about 0 and size about 1 (`standardised`). */
export function pearson(a: Float64Array, b: Float64Array, lag: number, { x, y }: Scratch): Correlated {
  const from = Math.max(0, -lag);
  const to = Math.min(a.length, b.length - lag);
  let n = 0;
  for (let i = from; i < to; i++) {
    const p = a[i]!;
    const q = b[i + lag]!;
    if (Number.isNaN(p) || Number.isNaN(q)) continue;
    x[n] = p;
    y[n++] = q;
  }
  return coefficient(x, y, n);
}

/**
 * Spearman's rho of the same: Pearson's r of the ranks in these rows, equal values having the mean of their
 * ranks.
 */
export function spearman(a: Ranked, b: Ranked, lag: number, { x, y }: Scratch): Correlated {
  ranks(a, b, lag, x);
  ranks(b, a, -lag, y);
  const from = Math.max(0, -lag);
  const to = Math.min(a.values.length, b.values.length - lag);
  let n = 0;
  for (let i = from; i < to; i++) {
    if (Number.isNaN(a.values[i]!) || Number.isNaN(b.values[i + lag]!)) continue;
    x[n] = x[i]!;
    y[n++] = y[i + lag]!;
  }
  return coefficient(x, y, n);
}

/** The ranks of a among the rows t where also b[t + lag] has a value, each at its row. */
function ranks(a: Ranked, b: Ranked, lag: number, into: Float64Array): void {
  const { values, order } = a;
  let before = 0;
  for (let i = 0; i < order.length; ) {
    const value = values[order[i]!]!;
    let end = i;
    let count = 0;
    for (; end < order.length && values[order[end]!] === value; end++)
      if (has(b.values, order[end]! + lag)) count++;
    for (; i < end; i++) into[order[i]!] = before + (count + 1) / 2;
    before += count;
  }
}

const has = (values: Float64Array, row: number): boolean =>
  row >= 0 && row < values.length && !Number.isNaN(values[row]!);

/** In two passes: the sums are of deviations from the mean. */
function coefficient(x: Float64Array, y: Float64Array, n: number): Correlated {
  if (n < 3) return undefinedFrom(n);
  let sumX = 0;
  let sumY = 0;
  for (let i = 0; i < n; i++) {
    sumX += x[i]!;
    sumY += y[i]!;
  }
  const meanX = sumX / n;
  const meanY = sumY / n;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  let top = 0;
  let wide = 0;
  for (let i = 0; i < n; i++) {
    const p = x[i]! - meanX;
    const q = y[i]! - meanY;
    xx += p * p;
    yy += q * q;
    xy += p * q;
    top = Math.max(top, Math.abs(x[i]!));
    wide = Math.max(wide, Math.abs(y[i]!));
  }
  if (Math.sqrt(xx / n) <= CONSTANT_DEVIATION * top || Math.sqrt(yy / n) <= CONSTANT_DEVIATION * wide)
    return undefinedFrom(n);
  return { r: Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))), n };
}

/** A standard deviation this small beside the numbers is rounding. */
const CONSTANT_DEVIATION = 1e-13;
