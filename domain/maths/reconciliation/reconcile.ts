import { backward, cholesky, forward } from '../forecasting/normal-equations.js';
import { nodesOf, summed, type Hierarchy } from './hierarchy.js';
import type { Weights } from './weights.js';

/** Base forecasts: one column for each node, one value for each step; `above` in the order of `sums`. */
export type Base = { readonly above: readonly Float64Array[]; readonly bottom: readonly Float64Array[] };

/** So much of its own is added to each sum's variance, so that nodes without errors do no harm. */
const RIDGE = 1e-12;

/**
 * The bottom of forecasts that add up and change what was forecast least, in units of the errors' covariance
 * W: the trace of the covariance of the errors that are left is the least (Wickramasuriya, Athanasopoulos and
 * Hyndman 2019, "Optimal forecast reconciliation for hierarchical and grouped time series through trace
 * minimization"). Here in the form with as many equations as there are sums: with C = [I, -A], where A adds
 * up, what does not add up is C y, and y - W C' (C W C')^-1 C y does.
 */
export function reconciled(hierarchy: Hierarchy, { above, bottom }: Base, weights: Weights): Float64Array[] {
  const { sums } = hierarchy;
  if (sums.length === 0) return bottom.map(column => column.slice());
  const turned = weightsTurned(hierarchy, weights);
  const gram = gramOf(hierarchy, turned);
  const scales = gram.map((row, k) => (row[k]! > 0 ? Math.sqrt(row[k]!) : 1));
  const even = gram.map((row, k) => row.map((value, j) => value / scales[k]! / scales[j]!));
  const lower = cholesky(even, RIDGE);
  const moved = bottom.map(column => column.slice());
  const gaps = above.map((column, k) => {
    const sum = summed(bottom, sums[k]!);
    return column.map((value, h) => value - sum[h]!);
  });
  for (let h = 0; h < (bottom[0]?.length ?? 0); h++) {
    const gap = Float64Array.from(gaps, (column, k) => column[h]! / scales[k]!);
    const shares = backward(lower, forward(lower, gap)).map((share, k) => share / scales[k]!);
    moved.forEach((column, i) => {
      for (let k = 0; k < sums.length; k++) column[h]! -= turned[k]![sums.length + i]! * shares[k]!;
    });
  }
  return moved;
}

type Reconciling = { readonly hierarchy: Hierarchy; readonly base: Base; readonly weights: Weights };
export const reconcile = ({ hierarchy, base, weights }: Reconciling): Float64Array[] =>
  reconciled(hierarchy, base, weights);

/** W C', one column of nodes for each sum. */
function weightsTurned(hierarchy: Hierarchy, { diagonal, factor }: Weights): Float64Array[] {
  const { sums } = hierarchy;
  return sums.map((places, k) => {
    const column = new Float64Array(nodesOf(hierarchy));
    column[k] = diagonal[k]!;
    for (const place of places) column[sums.length + place] = -diagonal[sums.length + place]!;
    for (const row of factor) {
      const gap = gapIn(row, sums.length, k, places);
      for (let node = 0; node < column.length; node++) column[node]! += row[node]! * gap;
    }
    return column;
  });
}

/** The lower triangle of C W C'. */
const gramOf = ({ sums }: Hierarchy, turned: readonly Float64Array[]): Float64Array[] =>
  sums.map((places, k) =>
    Float64Array.from({ length: k + 1 }, (_, j) => gapIn(turned[j]!, sums.length, k, places)),
  );

/** By how much a sum differs from what it adds up: C times a column of nodes. */
function gapIn(nodes: Float64Array, above: number, k: number, places: readonly number[]): number {
  let gap = nodes[k]!;
  for (const place of places) gap -= nodes[above + place]!;
  return gap;
}

/**
 * The bottom of forecasts that add up to that of the total: each gets the share that its own forecast has in
 * their sum (forecast proportions: Athanasopoulos, Ahmed and Hyndman 2009), and where that is 0 an equal one.
 */
export function topDown(total: Float64Array, bottom: readonly Float64Array[]): Float64Array[] {
  const sum = summed(
    bottom,
    bottom.map((_, i) => i),
  );
  return bottom.map(column =>
    column.map((value, h) => total[h]! * (sum[h] === 0 ? 1 / bottom.length : value / sum[h]!)),
  );
}
