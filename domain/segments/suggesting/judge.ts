import { linearAt, ridge } from '../../maths/forecasting/ridge.js';
import { Likeness } from '../moments.js';

/**
 * What a forecast may be made from, row after row in order of time: `target` is the value to forecast, `at`
 * the time of the row and `ready` that at which its target is known.
 */
export type Samples = {
  readonly target: Float64Array;
  readonly at: Float64Array;
  readonly ready: Float64Array;
};

export type Judged = { readonly lift: number; readonly isSure: boolean };

/** The newer half of the rows is tested, in so many folds. */
const FOLDS = 5;
/** Fewer rows than this tell nothing. */
export const LEAST_ROWS = 60;
/** Tests are put into so many groups that follow each other: errors of neighbours are alike. */
const GROUPS = 20;
/** Of some forty features that do not help, about one in twenty times one is this far from 0. */
const SURE = 3.5;

/**
 * How much less a ridge errs on rows that it has not seen with some more columns than without, as a share of
 * the absolute error, on rolling folds: each is fitted on what was known when its first row was. Null: there
 * are too few rows with all values.
 */
export function judged(
  samples: Samples,
  base: readonly Float64Array[],
  more: readonly Float64Array[],
): Judged | null {
  const all = [...base, ...more];
  const rows = [...samples.target.keys()].filter(
    row => !Number.isNaN(samples.target[row]!) && all.every(column => !Number.isNaN(column[row]!)),
  );
  if (rows.length < LEAST_ROWS) return null;
  const without: number[] = [];
  const less: number[] = [];
  const half = Math.floor(rows.length / 2);
  for (let fold = 0; fold < FOLDS; fold++) {
    const begin = half + Math.floor((fold * (rows.length - half)) / FOLDS);
    const end = half + Math.floor(((fold + 1) * (rows.length - half)) / FOLDS);
    const origin = samples.at[rows[begin]!]!;
    const train = rows.slice(0, begin).filter(row => samples.ready[row]! <= origin);
    if (train.length < 2) continue;
    const test = rows.slice(begin, end);
    const [plain, richer] = [base, all].map(columns => errors(samples.target, columns, train, test));
    without.push(...plain!);
    less.push(...plain!.map((error, i) => error - richer![i]!));
  }
  const total = sum(without);
  return { lift: total > 0 ? sum(less) / total : 0, isSure: isSure(less) };
}

function errors(
  target: Float64Array,
  columns: readonly Float64Array[],
  train: readonly number[],
  test: readonly number[],
): number[] {
  const at = (row: number): Float64Array => Float64Array.from(columns, column => column[row]!);
  const fit = ridge(train.map(at), [Float64Array.from(train, row => target[row]!)]);
  return test.map(row => Math.abs(target[row]! - linearAt(fit, at(row))[0]!));
}

/** Whether the mean is far from 0, by the means of groups that follow each other. */
function isSure(gains: readonly number[]): boolean {
  const size = gains.length / GROUPS;
  const means = Array.from({ length: GROUPS }, (_, i) => {
    const group = gains.slice(Math.floor(i * size), Math.floor((i + 1) * size));
    return sum(group) / Math.max(1, group.length);
  });
  const mean = sum(means) / GROUPS;
  const spread = sum(means.map(each => (each - mean) ** 2)) / (GROUPS - 1);
  return mean > 0 && mean > SURE * Math.sqrt(spread / GROUPS);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);

/** The columns most like the target of those of which most values are there, at most so many. */
export function mostAlike(
  target: Float64Array,
  columns: readonly Float64Array[],
  most: number,
): readonly Float64Array[] {
  const found = columns.flatMap(column => {
    const likeness = new Likeness();
    likeness.add(column, 0, target, 0, target.length >> 1);
    const r = Math.abs(likeness.correlation());
    const missing = column.reduce((count, x) => count + Number(Number.isNaN(x)), 0);
    return missing * MOSTLY_THERE > column.length || Number.isNaN(r) ? [] : [{ column, r }];
  });
  return found
    .sort((a, b) => b.r - a.r)
    .slice(0, most)
    .map(({ column }) => column);
}

/** At most every so manieth value may be missing. */
const MOSTLY_THERE = 5;
