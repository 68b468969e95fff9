import {
  pearson,
  ranked,
  scratchFor,
  spearman,
  type Correlated,
  type Ranked,
  type Scratch,
} from './statistics/correlation.js';
import { correlationTwoSided } from './statistics/distributions.js';
import { benjaminiHochberg } from './statistics/multiple.js';
import { differences, standardised, type Standard } from './statistics/series.js';
import { isStationary } from './statistics/stationarity.js';

export type CorrelationMethod = 'pearson' | 'spearman';

/**
 * One number for each row of a grid that all variables share, newest last; NaN where there is none, otherwise
 * finite.
 */
type Variable = { readonly key: string; readonly values: Float64Array };

export type CorrelationInput = {
  readonly variables: readonly Variable[];
  readonly method: CorrelationMethod;
  /** Shifts of up to so many rows either way are tried, from 0 on. */
  readonly maxLag: number;
  /** First differences instead of the values: one row fewer. */
  readonly difference: boolean;
};

export type CorrelationPair = {
  readonly a: string;
  readonly b: string;
  /** null where one of the two does not change, or with fewer than 3 rows in common. */
  readonly r: number | null;
  readonly p_value: number | null;
  readonly q_value: number | null;
  /** Rows where both have a value. */
  readonly n: number;
  /** The shift with the greatest |r|, the smallest of equals: above 0, b follows a by so many rows. */
  readonly best_lag: number | null;
  readonly r_at_best_lag: number | null;
};

/** About a pair, or about one variable (`constant`). */
export type CorrelationWarning = {
  readonly code: 'both_nonstationary' | 'constant' | 'insufficient_data';
  readonly keys: readonly string[];
};

export type CorrelationAnswer = {
  readonly keys: readonly string[];
  readonly matrix: readonly (readonly (number | null)[])[];
  /** Every two variables once, in the order of the keys; the greatest |r| first, those without at the end. */
  readonly pairs: readonly CorrelationPair[];
  readonly method: CorrelationMethod;
  /** Rows in which at least two variables have a value. */
  readonly observations: number;
  readonly warnings: readonly CorrelationWarning[];
};

/** A shift counts when it leaves at least this share of the rows. */
const LEAST_ROWS = 0.5;

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
  const series = variables.map(v => seriesOf(v, method, difference));
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

type Series = {
  readonly key: string;
  readonly values: Float64Array;
  /** null: constant. */
  readonly standard: Standard | null;
  /** Where the method asks for them. */
  readonly ranks: Ranked | null;
};

function seriesOf({ key, values }: Variable, method: CorrelationMethod, difference: boolean): Series {
  const standard = standardised(values, difference);
  const raw = difference ? differences(values) : values;
  return {
    key,
    standard,
    values: standard?.values ?? raw.map(x => x - x), // NaN stays, all else is 0
    ranks: standard && method === 'spearman' ? ranked(raw) : null,
  };
}

const size = ({ r }: CorrelationPair): number => (r === null ? -1 : Math.abs(r));

function correlated(a: Series, b: Series, maxLag: number, scratch: Scratch): CorrelationPair {
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
      if (shifted.n >= LEAST_ROWS * n && Math.abs(shifted.r) > Math.abs(most)) {
        best = lag;
        most = shifted.r;
      }
    }
  return { ...pair, r, p_value: correlationTwoSided(r, n), best_lag: best, r_at_best_lag: most };
}

/** `found` in the order of series: 0 with 1, 0 with 2, ..., 1 with 2, ... */
function matrixOf(series: readonly Series[], found: readonly CorrelationPair[]): (number | null)[][] {
  const matrix = series.map((_, i) =>
    series.map((s, j): number | null => (i === j && s.standard ? 1 : null)),
  );
  let next = 0;
  for (let i = 0; i < series.length; i++)
    for (let j = i + 1; j < series.length; j++) matrix[i]![j] = matrix[j]![i] = found[next++]!.r;
  return matrix;
}

function rowsOfTwo(variables: readonly Variable[], difference: boolean): number {
  const counts = new Uint32Array(variables[0]?.values.length ?? 0);
  for (const { values } of variables)
    for (const [i, x] of (difference ? differences(values) : values).entries())
      if (!Number.isNaN(x)) counts[i]!++;
  return counts.filter(count => count > 1).length;
}

function warningsOf(series: readonly Series[], found: readonly CorrelationPair[]): CorrelationWarning[] {
  const constant = new Set(series.filter(s => s.standard === null).map(s => s.key));
  const trending = new Set(
    series.filter(s => s.standard && !isStationary(withoutGaps(s.standard))).map(s => s.key),
  );
  const pairs = (code: CorrelationWarning['code'], test: (pair: CorrelationPair) => boolean) =>
    found.filter(test).map(({ a, b }) => ({ code, keys: [a, b] }));
  return [
    ...(constant.size > 0 ? [{ code: 'constant', keys: [...constant] } as const] : []),
    ...pairs('insufficient_data', ({ a, b, r }) => r === null && !constant.has(a) && !constant.has(b)),
    ...pairs('both_nonstationary', ({ a, b, r }) => r !== null && trending.has(a) && trending.has(b)),
  ];
}

const withoutGaps = (series: Standard): Standard => ({
  ...series,
  values: series.values.filter(x => !Number.isNaN(x)),
});
