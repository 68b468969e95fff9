import { startOfStep, type Step } from '../maths/series/grid.js';
import { EARLIEST, LATEST, DAY } from '../time.js';

/** The time that a step is called by: where its point lies, or is expected to lie. */
export type StepTimes = { readonly start: number; readonly step: Step };

/** The day of a month up to which every month has it. */
const DAYS_OF_EVERY_MONTH = 28;

/** Whether a time has its like in every month. */
export const isEveryMonths = (time: number): boolean => new Date(time).getUTCDate() <= DAYS_OF_EVERY_MONTH;

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
/** So many of the newest points say where the next ones are expected. */
const NEWEST = 15;

/**
 * How far into their steps (of `startOfStep`) points lie, in ms, where all lie at about the same place; null
 * where they do not. Daily points of 14:30 give 14.5 hours. About the same is meant of the circular mean, so
 * that points around midnight do not fall into two days; the place itself is the median of the newest points,
 * so that days which begin at a local midnight are called by the one of now, in summer as in winter.
 */
export function phaseOf(times: readonly number[], step: Step): number | null {
  const offsetOf = (time: number): number => time - startOfStep(time, step);
  const first = times.length > 0 ? offsetOf(times[0]!) : 0;
  const everyMonthHasIt = !step.months || first < DAYS_OF_EVERY_MONTH * DAY;
  if (times.every(time => offsetOf(time) === first)) return everyMonthHasIt ? first : null;
  if (step.months) return null;
  const offsets = times.map(offsetOf);
  const angles = offsets.map(offset => (2 * Math.PI * offset) / step.ms);
  const mean = Math.atan2(sum(angles.map(Math.sin)), sum(angles.map(Math.cos))) / (2 * Math.PI);
  const usual = Math.round((mean < 0 ? mean + 1 : mean) * step.ms) % step.ms;
  const half = step.ms / 2;
  const apart = offsets.map(offset => modulo(offset - usual + half, step.ms) - half);
  if (apart.some(ms => Math.abs(ms) > REGULAR * step.ms)) return null;
  const newest = apart.slice(-NEWEST).sort((a, b) => a - b);
  return modulo(usual + newest[newest.length >> 1]!, step.ms);
}

const modulo = (x: number, of: number): number => ((x % of) + of) % of;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);
