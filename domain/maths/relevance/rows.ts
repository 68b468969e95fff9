import { baselineColumns, lagged, withoutSeason, type Plan } from './baseline.js';

/**
 * Rows in order of time: which step each is, the target, the baseline's regressors, and the key's lags from
 * the horizon on.
 */
export type Rows = {
  readonly steps: readonly number[];
  readonly y: Float64Array;
  readonly base: readonly Float64Array[];
  readonly lags: readonly Float64Array[];
};

/** The steps at which the target and all that is known before it are there. */
export function rowsOf(y: Float64Array, x: Float64Array | null, plan: Plan): Rows {
  const base = baselineColumns(y, plan);
  const key = x && withoutSeason(x, plan);
  const lags = key ? Array.from({ length: plan.keyLags + 1 }, (_, k) => lagged(key, plan.horizon + k)) : [];
  const columns = [y, ...base, ...lags];
  const steps = Array.from(y.keys()).filter(t => columns.every(column => !Number.isNaN(column[t]!)));
  const only = (column: Float64Array): Float64Array => {
    const kept = new Float64Array(steps.length);
    for (let i = 0; i < kept.length; i++) kept[i] = column[steps[i]!]!;
    return kept;
  };
  return { steps, y: only(y), base: base.map(only), lags: lags.map(only) };
}
