import { products } from '../statistics/columns.js';
import type { Standard } from '../statistics/series.js';
import { directions, ownPast, type RowRange } from './own-past.js';
import { emptyTable, type PairTable } from './pair-table.js';
import { pairWorkspace, testPair } from './pair-test.js';

/** The longest lag for which these rows leave a residual degree of freedom. */
export const longestLag = (rows: number): number => Math.max(0, Math.floor((rows - 2) / 3));

/**
 * Residual degrees of freedom of the unrestricted regression: rows - lag observations, 2 lag + 1
 * coefficients.
 */
export const residualDegrees = (rows: number, lag: number): number => rows - 3 * lag - 1;

/**
 * Tests all pairs in a span of rows. null stands for a constant variable, of which nothing is tested. The
 * lags of a pair end where a regressor depends on the others, or where the effect follows from its own past
 * without error. `maxLag` is at most `longestLag(span.rows)`. `commonOnly`: all lags on the rows of the
 * longest, so that their fits can be compared. Takes room for (maxLag + 2) numbers per row and variable.
 */
export function pairTable(
  variables: readonly (Standard | null)[],
  span: RowRange,
  maxLag: number,
  commonOnly = false,
): PairTable {
  const count = variables.length;
  const table = emptyTable(count, span.rows, maxLag);
  if (maxLag === 0) return table;
  const pasts = variables.map(v => v && ownPast(v.values, span, maxLag, commonOnly));
  const work = pairWorkspace(maxLag);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < a; b++) {
      const one = pasts[a];
      const other = pasts[b];
      if (!one || !other) continue;
      const noise = Math.max(variables[a]!.noise, variables[b]!.noise);
      const width = directions(maxLag);
      products(one.basis, one.common, other.basis, other.common, one.common, width, work.products);
      testPair(one, other, noise, table, b * count + a, work);
      transpose(work.products, width);
      testPair(other, one, noise, table, a * count + b, work);
    }
  return table;
}

function transpose(matrix: Float64Array, width: number): void {
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) {
      const value = matrix[i * width + j]!;
      matrix[i * width + j] = matrix[j * width + i]!;
      matrix[j * width + i] = value;
    }
}
