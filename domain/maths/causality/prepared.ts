import { standardised, type Standard } from '../statistics/series.js';
import { isStationary } from '../statistics/stationarity.js';
import type { CausalityWarning } from './answer.js';
import type { CausalitySettings, CausalityVariable } from './input.js';

/** The variables as they are tested. */
export type Prepared = {
  /** The rows that are looked at; null for a constant variable. */
  readonly series: readonly (Standard | null)[];
  readonly rows: number;
  /** Whole windows in them. */
  readonly windows: number;
  readonly warnings: readonly CausalityWarning[];
};

/**
 * Takes the latest rows and differences what is to be differenced; all variables then have the same rows.
 * Says which are constant, and in which, as they are then, a unit root is not rejected.
 */
export function prepared(variables: readonly CausalityVariable[], settings: CausalitySettings): Prepared {
  const { windows: wanted, signalCount, difference } = settings;
  const total = variables[0]?.values.length ?? 0;
  const most = wanted * signalCount;
  const levels = variables.map(v =>
    difference === 'all' ? null : standardised(latest(v.values, Math.min(total, most))),
  );
  const differenced = variables.filter(
    (_, i) => difference === 'all' || (difference === 'auto' && trends(levels[i]!)),
  );
  const rows = Math.max(0, Math.min(most, differenced.length > 0 ? total - 1 : total));
  const windows = Math.floor(rows / signalCount);
  const series = variables.map(v => {
    const change = differenced.includes(v);
    return standardised(latest(v.values, change ? rows + 1 : rows), change);
  });
  return { series, rows, windows, warnings: warningsOf(variables, differenced, series, windows < wanted) };
}

const latest = (values: Float64Array, count: number): Float64Array => values.slice(values.length - count);

/** Whether a variable is neither constant nor found stationary. */
const trends = (series: Standard | null): boolean => series !== null && !isStationary(series);

function warningsOf(
  variables: readonly CausalityVariable[],
  differenced: readonly CausalityVariable[],
  series: readonly (Standard | null)[],
  fewer: boolean,
): CausalityWarning[] {
  const where = (
    code: CausalityWarning['code'],
    test: (series: Standard | null) => boolean,
  ): CausalityWarning => ({ code, keys: variables.filter((_, i) => test(series[i]!)).map(v => v.key) });
  const found = [
    where('constant', s => s === null),
    { code: 'differenced', keys: differenced.map(v => v.key) } as const,
    where('nonstationary', trends),
  ];
  return [
    ...(fewer ? [{ code: 'fewer_windows', keys: [] } as const] : []),
    ...found.filter(warning => warning.keys.length > 0),
  ];
}
