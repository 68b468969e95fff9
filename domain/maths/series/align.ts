import { commonStep, gridOf, type Grid, type Step } from './grid.js';
import { firstFrom, nextMean, type Series } from './series.js';

/** Series on one grid: a column of values for each, NaN where one has none. */
export type Aligned = Grid & { readonly variables: Float64Array[] };

export type Alignment = {
  /** Default: `commonStep`. */
  readonly step?: Step;
  /** For how many empty steps a value stands; default 3. */
  readonly carry?: number;
  /** At most this many steps, the newest ones; default 100,000. */
  readonly maxSteps?: number;
  /**
   * `union` (default): from the first point of any series to the last of any. `common`: where all have begun
   * and none ended.
   */
  readonly span?: 'union' | 'common';
};

export const CARRY = 3;
export const MAX_STEPS = 100_000;
/** Steps times series never exceed this, 80 MB of numbers: the oldest steps are left out. */
export const MAX_CELLS = 10_000_000;

/**
 * Series of any spacing on one grid. The value of a step is the mean of the points in it; an empty step keeps
 * the value before it for at most `carry` steps, and then, as before the first point, it is NaN.
 */
export function align(series: readonly Series[], options: Alignment = {}): Aligned {
  const { step = commonStep(series), carry = CARRY, maxSteps = MAX_STEPS, span = 'union' } = options;
  const most = Math.min(maxSteps, Math.floor(MAX_CELLS / Math.max(1, series.length)));
  const ends = spanOf(series, span);
  const grid = ends
    ? gridOf(ends[0], ends[1], step, most)
    : { step, from: 0, to: 0, times: new Float64Array() };
  return { ...grid, variables: series.map(each => carried(meansOn(grid, each), carry)) };
}

/** The times of the first and the last point to look at; null when there is no such span. */
function spanOf(series: readonly Series[], span: 'union' | 'common'): [from: number, to: number] | null {
  const some = series.filter(({ times }) => times.length);
  if (!some.length || (span === 'common' && some.length < series.length)) return null;
  const firsts = some.map(({ times }) => times[0]!);
  const lasts = some.map(({ times }) => times[times.length - 1]!);
  const [from, to] = span === 'union' ? [lowest(firsts), highest(lasts)] : [highest(firsts), lowest(lasts)];
  return from <= to ? [from, to] : null;
}

const lowest = (list: readonly number[]): number => list.reduce((a, b) => Math.min(a, b));
const highest = (list: readonly number[]): number => list.reduce((a, b) => Math.max(a, b));

/** The mean of the points in each step, NaN where there is none. */
export function meansOn(grid: Grid, { times, values }: Series): Float64Array {
  const means = new Float64Array(grid.times.length).fill(NaN);
  let step = 0;
  let count = 0;
  for (let i = firstFrom(times, grid.from); i < times.length && times[i]! < grid.to; i++) {
    while (grid.times[step + 1]! <= times[i]!) {
      step++;
      count = 0;
    }
    means[step] = nextMean(means[step]!, values[i]!, ++count);
  }
  return means;
}

/** In place: each value repeated over at most `most` empty steps after it. */
export function carried(values: Float64Array, most: number): Float64Array {
  let last = NaN;
  let age = 0;
  for (let k = 0; k < values.length; k++) {
    if (!Number.isNaN(values[k]!)) {
      last = values[k]!;
      age = 0;
    } else if (++age <= most) values[k] = last;
  }
  return values;
}

/**
 * The newest rows without a hole in which no variable is missing: of the newest block that has at least
 * `least` rows the newest `n`. Where no block has so many, the longest one (of equals the newest), which may
 * have no rows at all.
 */
export function latestCommonRows(aligned: Aligned, n: number, least = 1): Aligned {
  let best: [from: number, to: number] = [0, 0];
  for (let to = aligned.times.length; to > 0; ) {
    let from = to;
    while (from > 0 && to - from < n && isWhole(aligned, from - 1)) from--;
    if (to - from > best[1] - best[0]) best = [from, to];
    if (to - from >= Math.min(n, least)) break;
    to = from - 1;
  }
  return rowsOf(aligned, ...best);
}

const isWhole = ({ variables }: Aligned, row: number): boolean =>
  variables.every(values => !Number.isNaN(values[row]!));

function rowsOf(aligned: Aligned, from: number, to: number): Aligned {
  const { step, times, variables } = aligned;
  return {
    step,
    from: times[from] ?? aligned.from,
    to: times[to] ?? aligned.to,
    times: times.slice(from, to),
    variables: variables.map(values => values.slice(from, to)),
  };
}
