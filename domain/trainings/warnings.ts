import { pearson, scratchFor } from '../maths/statistics/correlation.js';
import { standardised } from '../maths/statistics/series.js';
import { seriesBefore } from './cuts.js';
import type { Evaluated } from './evaluated.js';
import type { TrainingTable } from './ports.js';

/** Fewer known values than two periods, or than this many, are few to be trained on. */
const FEW_VALUES = 16;
const FEW_PERIODS = 2;
/** An input that is this much like the target, now or a step later, may well be made from it. */
const TOO_ALIKE = 0.9999;
const INPUTS = ['past', 'known_future'];

/**
 * What somebody should know before trusting a report.
 *
 * - `worse_than_naive`: the seasonal naive forecast has the better score
 * - `short_history`: a series has fewer known values than 16, or than two periods, before the first fold
 * - `leakage_suspected`: an input says nearly the same as the target of its step or of the next
 * - `horizon_beyond_folds`: steps are asked for that no fold could judge
 * - `not_judged`: no score could be told (no actual came, or the target never changes)
 */
export function warningsOf(
  { table, period, horizon, made }: Evaluated,
  { score, against }: { readonly score: number | null; readonly against: number | null },
): string[] {
  const steps = made.reduce((most, { actual }) => Math.max(most, actual.length), 0);
  const found: readonly (readonly [string, boolean])[] = [
    ['worse_than_naive', score !== null && against !== null && score > against],
    ['short_history', isShort(table, period)],
    ['leakage_suspected', isLeaky(table)],
    ['horizon_beyond_folds', horizon > steps],
    ['not_judged', score === null],
  ];
  return found.flatMap(([warning, holds]) => (holds ? [warning] : []));
}

function isShort({ series, folds }: TrainingTable, period: number): boolean {
  const least = Math.max(FEW_VALUES, FEW_PERIODS * period);
  const knownIn = (values: Float64Array): number =>
    values.reduce((n, value) => n + Number(!Number.isNaN(value)), 0);
  return series.some(each => knownIn(seriesBefore(each, folds[0]!.train.to).columns[0]!) < least);
}

function isLeaky({ columns, series }: TrainingTable): boolean {
  const inputs = columns.flatMap(({ role }, i) => (INPUTS.includes(role) ? [i] : []));
  return series.some(({ columns: values }) => {
    const target = standardised(values[0]!)?.values;
    if (!target) return false;
    const scratch = scratchFor(target.length);
    return inputs.some(i => {
      const input = standardised(values[i]!)?.values;
      return input && [0, 1].some(lag => Math.abs(pearson(input, target, lag, scratch).r) > TOO_ALIKE);
    });
  });
}
