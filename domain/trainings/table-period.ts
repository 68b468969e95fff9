import { periodOf } from '../maths/forecasting/period.js';
import { seriesBefore } from './cuts.js';
import type { TrainingTable } from './ports.js';

/** The newest values that a season is looked for in. */
const NEWEST = 4_096;

/**
 * The period of a table's target in steps: of those of its series, as they were before the first fold, the
 * one that most of them have, the shorter of equals.
 */
export function periodOfTable({ series, folds, step }: TrainingTable): number {
  const counts = new Map<number, number>();
  for (const each of series) {
    const target = seriesBefore(each, folds[0]!.train.to).columns[0]!;
    const period = periodOf(target.subarray(-NEWEST), step);
    counts.set(period, (counts.get(period) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([p, n], [q, m]) => m - n || p - q);
  return most?.[0] ?? 1;
}
