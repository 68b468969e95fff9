import type { GoalActualsCame, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { gradedStep } from '../../domain/forecasts/grading.js';
import { stepsIn } from '../../domain/forecasts/steps.js';
import { onSteps, type Target } from '../../domain/forecasts/target.js';
import { isSameStep } from '../../domain/goals/steps.js';
import type { Columns } from '../../domain/signals/points.js';
import type { SignalReads } from '../inference/histories.js';

type Place = { readonly workspace: string; readonly key: string };
type Issued = GoalForecastIssued['data'];
export type GradingReads = Pick<SignalReads, 'between' | 'newest'> & {
  /** Forecasts of a goal with steps between two times. */
  readonly awaiting: (from: number, to: number) => AsyncIterable<{ readonly issued: Issued }>;
};

/** The newest points, which tell whether steps hold several. */
const NEWEST = 64;
/** Steps that are graded in one go. */
const MOST = 5_000;

/**
 * What came of a goal where points of its target came (both ends included): steps with their actuals, and
 * how the forecasts did that waited for them; those alone that some forecast waited for. A step before is
 * looked at, too: of a finer target it is over only now.
 */
export async function cameSince(
  reads: GradingReads,
  place: Place,
  target: Target,
  { from, to }: { readonly from: number; readonly to: number },
  now: number,
): Promise<GoalActualsCame['data']['steps']> {
  const steps = stepsIn(target);
  const newest = onSteps(target, await reads.newest(place, NEWEST, null), { most: NEWEST, now });
  if (!newest) return [];
  const first = steps.startOf(steps.startOf(from) - 1);
  const end = steps.next(steps.startOf(Math.min(to, newest.cutoff)));
  const waiting: Issued[] = [];
  // Those of another target, or of other steps, wait for something else
  for await (const { issued } of reads.awaiting(first, end - 1))
    if (issued.read.key === target.target && isSameStep(issued, target)) waiting.push(issued);
  if (waiting.length === 0) return [];
  const earliest = waiting.reduce((least, { points }) => Math.min(least, points.times[0]!), Infinity);
  const points = await reads.between(place, Math.max(first, steps.startOf(earliest)), end);
  const came = meansBySteps(target, points, first);
  const byTime = waitingBy(waiting);
  return came.flatMap(([time, actual]) => {
    const all = byTime.get(time);
    return all ? [gradedStep(time, actual, all)] : [];
  });
}

/** The mean of each step's points, by the beginning of the step. */
function meansBySteps(target: Target, points: Columns, from: number): [time: number, actual: number][] {
  const steps = stepsIn(target);
  const sums = new Map<number, { sum: number; count: number }>();
  points.times.forEach((time, i) => {
    const start = steps.startOf(time);
    if (start < from) return;
    const step = sums.get(start) ?? { sum: 0, count: 0 };
    sums.set(start, { sum: step.sum + points.values[i]!, count: step.count + 1 });
  });
  return [...sums].slice(0, MOST).map(([time, { sum, count }]) => [time, sum / count]);
}

/** Forecasts by the steps that they wait for, each list in the order of issue. */
function waitingBy(waiting: readonly Issued[]): Map<number, Issued[]> {
  const byTime = new Map<number, Issued[]>();
  const ordered = [...waiting].sort((a, b) => a.asOf - b.asOf || (a.forecastId < b.forecastId ? -1 : 1));
  for (const issued of ordered)
    for (const time of issued.points.times) byTime.set(time, [...(byTime.get(time) ?? []), issued]);
  return byTime;
}

/** Steps by their day (UTC). */
export function byDay<S extends { readonly time: number }>(steps: readonly S[]): Map<string, S[]> {
  const days = new Map<string, S[]>();
  for (const step of steps) {
    const day = new Date(step.time).toISOString().slice(0, 10);
    days.set(day, [...(days.get(day) ?? []), step]);
  }
  return days;
}
