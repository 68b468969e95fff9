import type { GoalForecastIssued } from '../forecasts/facts.js';
import type { GoalSettings } from '../goals/settings.js';

/** A goal of a fleet, and its newest forecast; null: it has none. */
export type Leaf = {
  readonly entity: string;
  readonly goalId: string;
  readonly settings: Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone'>;
  readonly issued: Pick<
    GoalForecastIssued['data'],
    'forecastId' | 'points' | 'asked' | 'stepS' | 'stepMonths' | 'period'
  > | null;
};
export type Forecast = Leaf & { readonly issued: NonNullable<Leaf['issued']> };

/** `other_step`: of another step or zone than most; `other_time`: at none of the steps that most have. */
export type LeftOut = {
  readonly entity: string;
  readonly goalId: string;
  readonly reason: 'no_forecast' | 'other_step' | 'other_time';
};

/** What forecasts of a fleet have in common. */
export type Window = {
  /** In order of their entities. */
  readonly leaves: readonly Forecast[];
  readonly leftOut: readonly LeftOut[];
  /** Beginnings of the steps that all have, epoch ms. */
  readonly times: readonly number[];
  /** Levels that all were asked for. */
  readonly levels: readonly number[];
  /** Where the first of these steps is in each. */
  readonly from: readonly number[];
};

/** The key that most have; of several the one that came first. */
function commonest<T>(list: readonly T[], keyOf: (one: T) => string): string | null {
  const counts = new Map<string, number>();
  for (const one of list) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  let best: string | null = null;
  for (const [key, count] of counts) if (best === null || count > counts.get(best)!) best = key;
  return best;
}

const stepKey = ({ issued, settings }: Forecast): string =>
  `${issued.stepS} ${issued.stepMonths ?? 0} ${settings.timezone}`;

/** The first step that most forecasts have, the earliest of several: the first of some forecast. */
function firstOf(forecasts: readonly Forecast[]): number {
  const starts = [...new Set(forecasts.map(({ issued }) => issued.points.times[0]!))].sort((a, b) => a - b);
  let [best, most] = [NaN, 0];
  for (const start of starts) {
    const count = forecasts.filter(({ issued }) => issued.points.times.includes(start)).length;
    if (count > most) [best, most] = [start, count];
  }
  return best;
}

/** The steps that most forecasts of a fleet have, and which those are; null: there is no forecast. */
export function windowOf(all: readonly Leaf[]): Window | null {
  const leftOut: LeftOut[] = [];
  const leave = ({ entity, goalId }: Leaf, reason: LeftOut['reason']): false => {
    leftOut.push({ entity, goalId, reason });
    return false;
  };
  const sorted = [...all].sort((a, b) => (a.entity < b.entity ? -1 : 1));
  const made = sorted.filter((one): one is Forecast => one.issued !== null || leave(one, 'no_forecast'));
  const step = commonest(made, stepKey);
  const alike = made.filter(one => stepKey(one) === step || leave(one, 'other_step'));
  if (alike.length === 0) return null;
  const first = firstOf(alike);
  const leaves = alike.filter(one => one.issued.points.times.includes(first) || leave(one, 'other_time'));
  const from = leaves.map(({ issued }) => issued.points.times.indexOf(first));
  const count = Math.min(...leaves.map(({ issued }, i) => issued.points.times.length - from[i]!));
  const [one] = leaves;
  return {
    ...{ leaves, leftOut, from },
    times: one!.issued.points.times.slice(from[0], from[0]! + count),
    levels: one!.issued.asked.filter(level => leaves.every(({ issued }) => issued.asked.includes(level))),
  };
}

/** A column of a forecast over the steps of the window. */
const cut = ({ times }: Window, column: readonly number[], from: number): Float64Array =>
  Float64Array.from(column.slice(from, from + times.length));

export const meansIn = (window: Window): Float64Array[] =>
  window.leaves.map(({ issued }, i) => cut(window, issued.points.mean, window.from[i]!));

export const quantilesIn = (window: Window, level: number): Float64Array[] =>
  window.leaves.map(({ issued: { points } }, i) =>
    cut(window, points.quantiles[points.levels.indexOf(level)]!, window.from[i]!),
  );
