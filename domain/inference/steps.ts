import { startOfStep, type Step } from '../maths/series/grid.js';
import { EARLIEST, LATEST, DAY } from '../time.js';

/** The time that a step is called by: where its point lies, or is expected to lie. */
export type StepTimes = { readonly start: number; readonly step: Step };

/** The day of a month up to which every month has it. */
const DAYS_OF_EVERY_MONTH = 28;

/** The time of step k, epoch ms: k steps, or k times so many calendar months (UTC), after the start. */
export function timeOfStep({ start, step }: StepTimes, k: number): number {
  if (!step.months) return start + k * step.ms;
  const date = new Date(start);
  return date.setUTCMonth(date.getUTCMonth() + k * step.months);
}

/** Whether all steps up to k lie in the years that times may have. */
export const isWithinTime = (times: StepTimes, k: number): boolean =>
  times.start >= EARLIEST && timeOfStep(times, k) <= LATEST;

/** At most so far from where the points usually lie in their steps, in steps, are points called regular. */
const REGULAR = 0.1;

/**
 * How far into their steps (of `startOfStep`) points lie, in ms, where all lie at about the same place; null
 * where they do not. Daily points of 14:30 give 14.5 hours. The usual place is the circular mean, so that
 * points around midnight do not fall into two days.
 */
export function phaseOf(times: readonly number[], step: Step): number | null {
  const offsets = times.map(time => time - startOfStep(time, step));
  const [first = 0] = offsets;
  const everyMonthHasIt = !step.months || first < DAYS_OF_EVERY_MONTH * DAY;
  if (offsets.every(offset => offset === first)) return everyMonthHasIt ? first : null;
  if (step.months) return null;
  const angles = offsets.map(offset => (2 * Math.PI * offset) / step.ms);
  const mean = Math.atan2(sum(angles.map(Math.sin)), sum(angles.map(Math.cos))) / (2 * Math.PI);
  const usual = Math.round((mean < 0 ? mean + 1 : mean) * step.ms) % step.ms;
  const isNear = (offset: number): boolean => {
    const apart = Math.abs(offset - usual);
    return Math.min(apart, step.ms - apart) <= REGULAR * step.ms;
  };
  return offsets.every(isNear) ? usual : null;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);
