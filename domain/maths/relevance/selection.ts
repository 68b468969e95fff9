import { dot, minus, projectOut, unit } from './vectors.js';

/** A key as a regressor: its value `lag` steps before, or the change that led to it. */
export type Term = { readonly lag: number; readonly form: 'level' | 'change' };

/** More terms than this of one key are not taken. */
const MOST_TERMS = 3;

/**
 * The terms of a key that explain what the baseline leaves of y in the first `rows` rows, the strongest
 * first. Forward selection: a term is taken where n log(RSS) falls by more than log n + 2 log(number of terms
 * to choose from), as the extended Bayesian information criterion asks (Chen and Chen 2008). n is rows /
 * horizon, since neighbouring forecasts that far ahead err alike. `lags` are the key's values at lag
 * `horizon`, `horizon` + 1, ...; one more than there are terms of either form.
 */
export function selectTerms(
  base: readonly Float64Array[],
  y: Float64Array,
  lags: readonly Float64Array[],
  horizon: number,
  rows: number,
): Term[] {
  const { terms, columns, rest } = prepared(base, y, lags, horizon, rows);
  const worth = rows / horizon;
  const price = Math.log(worth) + 2 * Math.log(terms.length);
  const chosen: Term[] = [];
  while (chosen.length < MOST_TERMS) {
    const best = strongest(columns, rest);
    const before = dot(rest, rest);
    if (!best || worth * Math.log(before / (before - best.gain)) <= price) break;
    chosen.push(terms[best.at]!);
    const directions = [unit(columns[best.at]!)];
    for (const column of [rest, ...columns]) projectOut(directions, column);
  }
  return chosen;
}

/** The term that explains most of what the baseline leaves, worth it or not; null where none explains any. */
export function strongestTerm(
  base: readonly Float64Array[],
  y: Float64Array,
  lags: readonly Float64Array[],
  horizon: number,
  rows: number,
): Term | null {
  const { terms, columns, rest } = prepared(base, y, lags, horizon, rows);
  const best = strongest(columns, rest);
  return best && terms[best.at]!;
}

/** y and all terms without what the baseline explains of them; a dependent column becomes 0. */
function prepared(
  base: readonly Float64Array[],
  y: Float64Array,
  lags: readonly Float64Array[],
  horizon: number,
  rows: number,
) {
  const basis: Float64Array[] = [];
  const without = (column: Float64Array): Float64Array => {
    const left = column.slice(0, rows);
    projectOut(basis, left);
    return left;
  };
  for (const column of base) {
    const left = without(column);
    if (dot(left, left) > 0) basis.push(unit(left));
  }
  const levels = lags.map(without);
  const changes = levels.slice(1).map((later, k) => minus(levels[k]!, later));
  const term =
    (form: Term['form']) =>
    (_: unknown, k: number): Term => ({ lag: horizon + k, form });
  return {
    rest: without(y),
    columns: [...levels.slice(0, -1), ...changes],
    terms: [...changes.map(term('level')), ...changes.map(term('change'))],
  };
}

/** Which column explains most of `rest`, and how much its sum of squares falls by it. */
function strongest(
  columns: readonly Float64Array[],
  rest: Float64Array,
): { at: number; gain: number } | null {
  let best: { at: number; gain: number } | null = null;
  columns.forEach((column, at) => {
    const size = dot(column, column);
    const gain = size > 0 ? dot(column, rest) ** 2 / size : 0;
    if (gain > (best?.gain ?? 0)) best = { at, gain };
  });
  return best;
}
