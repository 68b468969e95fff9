import type { InferenceSeries } from '../inference/forecasting.js';
import { startOfStep, type Step } from '../maths/series/grid.js';
import { stepOf, stepsIn as stepsOf, type StepLength, type Steps } from '../segments/steps.js';
import { DAY, SECOND } from '../time.js';
import type { GoalStep, GoalSteps } from '../goals/steps.js';

/** A goal's step as recipes of segments have it. */
const lengthOf = ({ stepS, stepMonths }: GoalStep): StepLength =>
  stepMonths ? { step_s: stepS, step_months: stepMonths } : { step_s: stepS };

/**
 * The steps of a goal: whole days are days of its zone, weeks begin on Monday; those that are as long as
 * calendar months are on average are months of its zone.
 */
export const stepsIn = ({ timezone, ...step }: GoalSteps): Steps => stepsOf({ ...lengthOf(step), timezone });

/** A step of a goal, as models are told of it. */
export const stepIn = (step: GoalStep): Step => stepOf(lengthOf(step));

/**
 * Where a series begins whose first step is this one. Months are named in UTC, to whose midnight that of no
 * zone is as far as a day.
 */
export function startNamed(target: GoalStep, first: number): number {
  const step = stepIn(target);
  return step.months ? startOfStep(first + DAY, step) : first;
}

type OnGrid = Pick<InferenceSeries, 'start' | 'values'>;

/** The beginning of the first step of a series, where that is called by months. */
const firstOf = (steps: Steps, { start }: OnGrid): number => steps.startOf(start + DAY);

/** The beginnings of a series' steps; days of 23 and of 25 hours even out, the newest lies where it is. */
export function beginningsOf(target: GoalSteps, series: OnGrid): number[] {
  const { length } = series.values;
  if (!stepIn(target).months)
    return Array.from({ length }, (_, i) => series.start + i * target.stepS * SECOND);
  const steps = stepsIn(target);
  const times: number[] = [];
  for (let start = firstOf(steps, series); times.length < length; start = steps.next(start))
    times.push(start);
  return times;
}

/** The place of the step of a series that a time lies in; below 0 before the first. */
export function placeIn(target: GoalSteps, series: OnGrid): (time: number) => number {
  if (!stepIn(target).months) return time => Math.floor((time - series.start) / (target.stepS * SECOND));
  const steps = stepsIn(target);
  const first = firstOf(steps, series);
  return time => steps.count(first, steps.startOf(time));
}

/** Beginnings of steps as they would lie were all months as long as they are on average from one on. */
export function evenedFrom(target: GoalSteps, anchor: number): (start: number) => number {
  const { apart } = stepsIn(target);
  return start => anchor + apart(anchor, start);
}

/** The beginnings of the `horizon` steps after the one of a time. */
export function stepsAhead(target: GoalSteps, time: number, horizon: number) {
  const steps = stepsIn(target);
  const times: number[] = [];
  for (let start = steps.next(steps.startOf(time)); times.length < horizon; start = steps.next(start))
    times.push(start);
  return times;
}
