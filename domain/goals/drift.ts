import { DAY, HOUR, SECOND } from '../time.js';
import type { Automatic, GoalSettings } from './settings.js';

/** How forecasts did in a window: the loss in the goal's metric, and against seasonal naive. */
export type Did = { readonly value: number | null; readonly skill: number | null; readonly n: number };
/** Of the newest week, and of the newest month. */
export type Record = { readonly week: Did; readonly month: Did };

/** Fewer graded steps of a week say nothing. */
const LEAST_STEPS = 24;
/** The week's loss against the month's. */
const WORSE = 1.25;

/**
 * Whether forecasts became worse: the week lost a quarter more than the month, or more than seasonal naive.
 */
export function hasDrifted({ week, month }: Record): boolean {
  if (week.n < LEAST_STEPS || week.value === null) return false;
  if (week.skill !== null && week.skill < 0) return true;
  return month.value !== null && week.value > WORSE * month.value;
}

const WEEK = 7 * DAY;
/** After a drift it is looked again no sooner, in cadences. */
const REST_CADENCES = 24;

/** What is due of something that begins by itself. `look`: where the record has drifted. */
export type Due = 'no' | 'schedule' | 'look';

/**
 * Whether it is time again. `last`: when it began last, or the goal became active; `now`; both epoch ms.
 * `rest`: it begins no sooner by a drift, ms.
 */
export function dueOf(
  automatic: Automatic,
  { cadenceS }: Pick<GoalSettings, 'cadenceS'>,
  { last, now, rest }: { readonly last: number; readonly now: number; readonly rest: number },
): Due {
  if (automatic === 'off') return 'no';
  if (automatic === 'weekly') return now - last >= WEEK ? 'schedule' : 'no';
  return now - last >= Math.max(rest, REST_CADENCES * cadenceS * SECOND) ? 'look' : 'no';
}

/** A tournament, and a discovery, after a drift. */
export const RESTS = { tournament: DAY, discovery: WEEK } as const;

/**
 * How long a goal without a champion rests until models compete for it again, ms: twice as long after each
 * tournament in vain. `inVain`: how many there were.
 */
export const restInVain = (inVain: number): number => Math.min(DAY, HOUR * 2 ** Math.max(0, inVain - 1));
