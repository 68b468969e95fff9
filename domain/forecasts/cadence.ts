import type { GoalSettings } from '../goals/settings.js';
import { stepAsked } from '../goals/steps.js';
import { DAY, SECOND } from '../time.js';
import { stepsIn } from './steps.js';

/** How often a goal is forecast. */
export type Cadence = Pick<GoalSettings, 'cadenceS' | 'stepMonths' | 'timezone'>;

/**
 * The beats of a cadence: multiples of its seconds since 1970-01-01T00:00Z; those of whole days are midnights
 * of the goal's zone, several days counted from a Monday; of a goal on calendar months those that are as long
 * as months are their firsts.
 */
type Beats = { readonly at: (time: number) => number; readonly next: (beat: number) => number };

function beatsOf({ cadenceS, stepMonths, timezone }: Cadence): Beats {
  const ms = cadenceS * SECOND;
  // Goals of before there were months keep their beats
  const step = stepMonths ? stepAsked(cadenceS) : { stepS: cadenceS };
  if (ms % DAY !== 0 && !('stepMonths' in step))
    return { at: time => Math.floor(time / ms) * ms, next: beat => beat + ms };
  const { startOf, next } = stepsIn({ ...step, timezone });
  return { at: startOf, next };
}

/** The newest beat that is not after a time. */
export const beatAt = (cadence: Cadence, time: number): number => beatsOf(cadence).at(time);

/** The first beat after a time. */
export function beatAfter(cadence: Cadence, time: number): number {
  const { at, next } = beatsOf(cadence);
  return next(at(time));
}

/** Beats that follow each other, both ends included. */
export type Run = { readonly first: number; readonly last: number; readonly count: number };

/** The beats after one time and before another; null: there are none. */
export function beatsBetween(cadence: Cadence, after: number, before: number): Run | null {
  const { at, next } = beatsOf(cadence);
  const first = next(at(after));
  const last = at(before - 1);
  if (last < first) return null;
  const ms = cadence.cadenceS * SECOND;
  // Days of 23 and of 25 hours even out, and months
  return { first, last, count: Math.round((last - first) / ms) + 1 };
}

/** What was due by a cadence when it was changed: the newest beat, and those before it that were passed. */
export type Owed = { readonly beat: number; readonly passed: Run | null };

/**
 * What is owed by a cadence that ends at a time and is done with up to `handled`; null: nothing. `before`:
 * what was owed already, by the cadence before.
 */
export function owedAt(
  cadence: Cadence,
  { handled, before }: { readonly handled: number; readonly before: Owed | null },
  time: number,
): Owed | null {
  const beat = beatAt(cadence, time);
  if (beat <= handled) return before;
  const passed = beatsBetween(cadence, handled, beat);
  if (!before) return { beat, passed };
  const first = before.passed?.first ?? before.beat;
  const count = (before.passed?.count ?? 0) + 1 + (passed?.count ?? 0);
  return { beat, passed: { first, last: passed?.last ?? before.beat, count } };
}

/** What is still owed when beats are done with up to a time. */
export const owedAfter = (owed: Owed | null, upTo: number): Owed | null =>
  owed && upTo < owed.beat ? { ...owed, passed: null } : null;
