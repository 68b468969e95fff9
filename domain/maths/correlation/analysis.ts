import { pearson, scratchFor, spearman, type Correlated, type Scratch } from '../statistics/correlation.js';
import { correlationTwoSided } from '../statistics/distributions.js';
import { benjaminiHochberg } from '../statistics/multiple.js';
import { differences } from '../statistics/series.js';
import type { CorrelationAnswer, CorrelationInput, CorrelationPair, CorrelationVariable } from './answer.js';
import { prepared, type PreparedVariable } from './prepared.js';
import { warningsOf } from './warnings.js';

/** A shift counts when it leaves at least this share of the rows. */
const LEAST_ROW_SHARE = 0.5;

/**
 * Correlation of every two variables over the rows where both have a value: Pearson's r, or Spearman's rho
 * with mean ranks for equal values; p two-sided by the t distribution with n - 2 degrees of freedom, as if
 * rows were independent (values that follow each other closely make it too small); q by Benjamini and
 * Hochberg over all pairs. `both_nonstationary` names pairs in which the augmented Dickey-Fuller test rejects
 * a unit root at 0.05 in neither: two series that merely trend correlate whatever they mean.
 */
export function analyseCorrelation({
  variables,
  method,
  maxLag,
  difference,
}: CorrelationInput): CorrelationAnswer {
  const series = variables.map(v => prepared(v, method, difference));
  const scratch = scratchFor(Math.max(0, (variables[0]?.values.length ?? 0) - (difference ? 1 : 0)));
  const found = series.flatMap((a, i) => series.slice(i + 1).map(b => correlated(a, b, maxLag, scratch)));
  const q = benjaminiHochberg(found.map(pair => pair.p_value ?? NaN));
  const keys = series.map(s => s.key);
  return {
    keys,
    matrix: matrixOf(series, found),
    method,
    observations: rowsOfTwo(variables, difference),
    pairs: found
      .map((pair, i) => ({ ...pair, q_value: pair.r === null ? null : q[i]! }))
      .sort((x, y) => size(y) - size(x)),
    warnings: warningsOf(series, found),
  };
}

const size = ({ r }: CorrelationPair): number => (r === null ? -1 : Math.abs(r));

function correlated(
  a: PreparedVariable,
  b: PreparedVariable,
  maxLag: number,
  scratch: Scratch,
): CorrelationPair {
  const at = (lag: number): Correlated =>
    a.ranks && b.ranks ? spearman(a.ranks, b.ranks, lag, scratch) : pearson(a.values, b.values, lag, scratch);
  const { r, n } = at(0);
  const pair = { a: a.key, b: b.key, q_value: null, n };
  if (Number.isNaN(r)) return { ...pair, r: null, p_value: null, best_lag: null, r_at_best_lag: null };
  let best = 0;
  let most = r;
  for (let step = 1; step <= maxLag; step++)
    for (const lag of [step, -step]) {
      const shifted = at(lag);
      if (shifted.n >= LEAST_ROW_SHARE * n && Math.abs(shifted.r) > Math.abs(most)) {
        best = lag;
        most = shifted.r;
      }
    }
  return { ...pair, r, p_value: correlationTwoSided(r, n), best_lag: best, r_at_best_lag: most };
}

/** `found` in the order of series: 0 with 1, 0 with 2, ..., 1 with 2, ... */
function matrixOf(
  series: readonly PreparedVariable[],
  found: readonly CorrelationPair[],
): (number | null)[][] {
  const matrix = series.map((_, i) =>
    series.map((s, j): number | null => (i === j && s.standard ? 1 : null)),
  );
  let next = 0;
  for (let i = 0; i < series.length; i++)
    for (let j = i + 1; j < series.length; j++) {
      const { r } = found[next++]!;
      matrix[i]![j] = r;
      matrix[j]![i] = r;
    }
  return matrix;
}

function rowsOfTwo(variables: readonly CorrelationVariable[], difference: boolean): number {
  const counts = new Uint32Array(variables[0]?.values.length ?? 0);
  for (const { values } of variables)
    for (const [i, x] of (difference ? differences(values) : values).entries())
      if (!Number.isNaN(x)) counts[i]!++;
  return counts.filter(count => count > 1).length;
}
