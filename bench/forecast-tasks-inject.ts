import { median, robustScale } from '../domain/maths/series/quantile.js';
import type { Random } from '../test/random.js';
import type { RealSeries } from './forecast-tasks-sets.js';

// Anomalies that are put into real series, and the simple detectors that a model is held against.

export type Kind = 'spikes' | 'shifts';

/** `events`: the places of each anomaly. */
export type Injected = { readonly values: Float64Array; readonly events: readonly (readonly number[])[] };

/** How far a value is moved, in units of `unitOf`; how long a shift lasts; how much room an anomaly has. */
const SMALLEST = 2;
const LARGEST = 6;
const SHORTEST_SHIFT = 3;
const LONGEST_SHIFT = 6;
const ROOM = 15;

/**
 * Spikes of one value, or shifts of 3 to 6, up or down, at random places behind `from`: one for each 15
 * values.
 */
export function injected({ values, period }: RealSeries, from: number, kind: Kind, random: Random): Injected {
  const moved = values.slice();
  const unit = unitOf(values, period);
  const events: number[][] = [];
  for (let begin = from; begin + ROOM <= values.length; begin += ROOM) {
    const length = kind === 'spikes' ? 1 : SHORTEST_SHIFT + random.below(LONGEST_SHIFT - SHORTEST_SHIFT + 1);
    const at = begin + random.below(ROOM - length);
    const size = SMALLEST + (LARGEST - SMALLEST) * random.next();
    const by = (random.chance(0.5) ? 1 : -1) * size * unit;
    const places = Array.from({ length }, (_, i) => at + i);
    if (places.some(place => Number.isNaN(values[place]!))) continue;
    for (const place of places) moved[place]! += by;
    events.push(places);
  }
  return { values: moved, events };
}

/**
 * The smaller one of the robust standard deviations of the changes from step to step and from season to
 * season.
 */
function unitOf(values: Float64Array, period: number): number {
  return Math.min(...[1, period].map(lag => robustScale(known(changes(values, lag))).scale));
}

/** How unusual each value is, in robust units. */
export type Detector = (values: Float64Array, period: number) => Float64Array;

const BEFORE = 11;
const AROUND = 5;

export const DETECTORS: Readonly<Record<string, Detector>> = {
  'seasonal difference': (values, period) => inUnits(changes(values, period)),
  'median of 11 before': values => inUnits(fromMedian(values, at => [at - BEFORE, at])),
  // It sees what comes after: the identifier of Hampel
  'median of 11 around': values => inUnits(fromMedian(values, at => [at - AROUND, at + AROUND + 1])),
};

const changes = (values: Float64Array, lag: number): Float64Array =>
  values.map((value, i) => (i < lag ? NaN : value - values[i - lag]!));

const known = (values: Float64Array): Float64Array => values.filter(x => !Number.isNaN(x));

const fromMedian = (values: Float64Array, window: (at: number) => [number, number]): Float64Array =>
  values.map((value, at) => {
    const [low, high] = window(at);
    return value - median(known(values.slice(Math.max(0, low), high)));
  });

/** What cannot be told is not unusual. */
function inUnits(residuals: Float64Array): Float64Array {
  const { middle, scale } = robustScale(known(residuals));
  return residuals.map(residual => (Number.isNaN(residual) ? 0 : Math.abs(residual - middle) / scale));
}

/**
 * The area under the ROC curve: how likely a score of an anomaly is above one of a regular value, half for
 * equal ones.
 */
export function areaUnderRoc(scores: readonly number[], labels: readonly boolean[]): number {
  const order = [...scores.keys()].sort((a, b) => scores[a]! - scores[b]!);
  const positives = labels.filter(Boolean).length;
  let rankSum = 0;
  for (let begin = 0, end = 0; begin < order.length; begin = end) {
    while (end < order.length && scores[order[end]!] === scores[order[begin]!]) end++;
    for (let i = begin; i < end; i++) if (labels[order[i]!]) rankSum += (begin + 1 + end) / 2;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * (scores.length - positives));
}

/** The mean precision at each anomaly, from the highest score down. */
export function averagePrecision(scores: readonly number[], labels: readonly boolean[]): number {
  const order = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!);
  let found = 0;
  let sum = 0;
  order.forEach((at, i) => {
    if (labels[at]) sum += ++found / (i + 1);
  });
  return sum / found;
}
