import type { Accuracy } from '../forecasts/accuracy.js';
import type { GoalPoints } from '../forecasts/facts.js';
import type { ActualStep } from '../forecasts/grading.js';
import { probabilityBelow, quantileOf } from '../maths/forecasting/tails.js';
import { iso } from '../time.js';
import { crossingProbability, tiesOf, type Pair } from './crossing.js';
import type { Evidence } from './facts.js';
import type { Direction, Watched } from './kinds.js';

/** What was found; null: there was nothing to judge by. */
export type Found = { readonly holds: boolean; readonly evidence: Evidence } | null;
type Params<K extends Watched['kind']> = Extract<Watched, { readonly kind: K }>['params'];

export const evidenceOf = (
  message: string,
  value: number | null,
  of: Partial<Pick<Evidence, 'at' | 'forecastId' | 'eventId'>> = {},
): Evidence => ({ value, message, at: null, forecastId: null, eventId: null, ...of });

/** A number as people read it, to four digits. */
export const figure = (value: number): string => String(Number(value.toPrecision(4)));
export const percent = (share: number): string => `${Number((100 * share).toPrecision(3))}%`;

const isBeyond = (value: number, limit: number, direction: Direction): boolean =>
  direction === 'above' ? value > limit : value < limit;

/** An actual against a value. */
export function threshold(
  { value, direction }: Params<'threshold'>,
  target: string,
  { time, actual }: ActualStep,
): Found {
  const holds = isBeyond(actual, value, direction);
  const against = `${holds ? '' : 'not '}${direction} ${figure(value)}`;
  const message = `${target} was ${figure(actual)} at ${iso(time)}, ${against}`;
  return { holds, evidence: evidenceOf(message, actual, { at: time }) };
}

/** A forecast that had a step. */
export type HadStep = { readonly forecastId: string; readonly points: GoalPoints };
const rowAt = ({ times, quantiles }: GoalPoints, time: number): Float64Array | null => {
  const place = times.indexOf(time);
  return place < 0 ? null : Float64Array.from(quantiles, column => column[place]!);
};

/** An actual against the central band of the newest forecast that had its step. */
export function bandBreach(
  { level }: Params<'band_breach'>,
  target: string,
  { time, actual }: ActualStep,
  by: HadStep | null,
): Found {
  const row = by && rowAt(by.points, time);
  if (!by || !row) return null;
  const { levels } = by.points;
  const [low, high] = [quantileOf(row, levels, (1 - level) / 2), quantileOf(row, levels, (1 + level) / 2)];
  const holds = actual < low || actual > high;
  const band = `the ${percent(level)} band from ${figure(low)} to ${figure(high)}`;
  const where = `${holds ? 'outside of' : 'inside'} ${band}`;
  const message = `${target} was ${figure(actual)} at ${iso(time)}, ${where}`;
  return { holds, evidence: evidenceOf(message, actual, { at: time, forecastId: by.forecastId }) };
}

/**
 * An actual against the goal's own record: how far it lay from the median, in half-widths of the band of
 * its side, among earlier ones. The share that lay as far or farther, it included, is a p-value whatever
 * the distribution (conformal); it is anomalous at a level where that is at most 1 - level. Of too few
 * earlier ones no such share is that small: then the forecast's own distribution says it.
 */
export function anomaly(
  { level }: Params<'anomaly'>,
  target: string,
  step: ActualStep,
  earlier: readonly ActualStep[],
  by: HadStep | null,
): Found {
  const { time, actual } = step;
  const score = step.scores.at(-1);
  if (score === undefined) return null;
  const others = earlier.flatMap(other => (other.time < time ? other.scores.slice(-1) : []));
  const row = by && rowAt(by.points, time);
  const isEnough = 1 / (others.length + 1) <= 1 - level + TOLERANCE;
  if (!isEnough && !row) return null;
  const below = row ? probabilityBelow(row, by!.points.levels, actual) : 0.5;
  const p = isEnough
    ? (1 + others.filter(other => Math.abs(other) >= Math.abs(score)).length) / (others.length + 1)
    : 2 * Math.min(below, 1 - below);
  const holds = p <= 1 - level + TOLERANCE;
  const how = isEnough ? `of ${others.length + 1} values` : 'by its forecast';
  const message =
    `${target} was ${figure(actual)} at ${iso(time)}: `
    + `as far out as ${percent(Math.max(p, LEAST_SHARE))} ${how}`;
  return { holds, evidence: evidenceOf(message, actual, { at: time, forecastId: by?.forecastId ?? null }) };
}
const TOLERANCE = 1e-9;
const LEAST_SHARE = 1e-4;

/** Errors of neighbouring steps of the same forecasts. Steps in order of time. */
export function pairsIn(steps: readonly ActualStep[]): Pair[] {
  const last = new Map<string, { readonly lead: number; readonly score: number }>();
  const pairs: Pair[] = [];
  for (const { forecastIds, leads, scores } of steps)
    forecastIds.forEach((id, i) => {
      const [lead, score] = [leads[i]!, scores[i]!];
      const before = last.get(id);
      if (before?.lead === lead - 1) pairs.push({ lead, before: before.score, error: score });
      last.set(id, { lead, score });
    });
  return pairs;
}

/** How likely a forecast goes beyond a value, by the record of those before it. */
export function forecastThreshold(
  params: Params<'forecast_threshold'>,
  target: string,
  { forecastId, points }: HadStep,
  steps: readonly ActualStep[],
): Found {
  const probability = crossingProbability(points, params, tiesOf(points, pairsIn(steps)));
  const { value, direction, withinSteps } = params;
  const message =
    `${target} goes ${direction} ${figure(value)} within ${withinSteps} `
    + `${withinSteps === 1 ? 'step' : 'steps'} with a probability of ${percent(probability)}`;
  const evidence = evidenceOf(message, probability, { at: points.times[0]!, forecastId });
  return { holds: probability >= params.probability, evidence };
}

/** Fewer graded steps say nothing. */
const LEAST_STEPS = 24;

/** The loss of the newest week against that of the newest month. */
export function drift({ worseBy }: Params<'drift'>, week: Accuracy, month: Accuracy): Found {
  if (week.n < LEAST_STEPS || week.value === null || month.value === null || month.value === 0) return null;
  const worse = week.value / month.value - 1;
  const [last, all] = [figure(week.value), figure(month.value)];
  const message = `Forecasts lost ${last} in the last 7 days, and ${all} in the last 30`;
  return { holds: worse > worseBy, evidence: evidenceOf(message, worse) };
}

/** The share of actuals inside the 80% band in the newest month. */
export function coverage({ below }: Params<'coverage'>, month: Accuracy): Found {
  if (month.n < LEAST_STEPS || month.coverage === null) return null;
  const message = `${percent(month.coverage)} of actuals of the last 30 days lay inside the 80% band`;
  return { holds: month.coverage < below, evidence: evidenceOf(message, month.coverage) };
}
