import { DAY, iso } from '../time.js';
import type { Millicredits } from './credits.js';
import type { LedgerFact, Metered, OpeningTerms } from './facts.js';

/** What an organization has. */
export type Account = {
  readonly plan: string;
  readonly plansVersion: string;
  /** Granted by the plan each month. */
  readonly planCredits: Millicredits;
  /** All that is there, also what is held: never negative. */
  readonly credits: Millicredits;
  readonly held: Millicredits;
  /** The last month (`2026-03`, UTC) that the plan's credits were granted for, and how many they were. */
  readonly period: string;
  readonly planGranted: Millicredits;
  /** Up to when what is used bit by bit is charged, epoch ms. */
  readonly meters: Readonly<Record<string, number>>;
  /** Below so many credits it is low; null: a tenth of the plan's. */
  readonly threshold: Millicredits | null;
  /** It ran low and was told so. */
  readonly isLow: boolean;
  /** How often its settings were changed; absent: never, or not counted yet. */
  readonly settingsVersion?: number;
};

/** What may be held or charged. */
export const availableIn = ({ credits, held }: Account): Millicredits => credits - held;

export const versionOf = ({ settingsVersion = 0 }: Account): number => settingsVersion;

const SHARE = 10;
export const thresholdOf = ({ threshold, planCredits }: Account): Millicredits =>
  threshold ?? Math.round(planCredits / SHARE);

/** A month (UTC) as `2026-03`, and when the one after it begins, epoch ms. */
export const monthOf = (at: number): string => iso(at).slice(0, 7);
export const beginningOf = (month: string): number => Date.parse(`${month}-01T00:00:00.000Z`);
export function endOf(month: string): number {
  const [year, number] = month.split('-').map(Number);
  return Date.UTC(year!, number!, 1);
}
/** The months behind one up to another, in order; of many the last dozen. */
export function monthsBehind(month: string, last: string): readonly string[] {
  const months: string[] = [];
  for (let next = monthOf(endOf(month)); next <= last; next = monthOf(endOf(next))) months.push(next);
  return months.slice(-MOST_MONTHS);
}
const MOST_MONTHS = 12;

/** What an organization begins with. */
export const openedWith = ({ plan, plansVersion, credits, period }: OpeningTerms): Account => ({
  ...{ plan, plansVersion, credits, period },
  ...{ planCredits: credits, planGranted: credits },
  ...{ held: 0, meters: {}, threshold: null, isLow: false },
});

/** What a fact makes of an account; `before` is null until it is opened. */
export function accountAfter(before: Account | null, fact: LedgerFact): Account | null {
  if (fact.type === 'LedgerOpened') return openedWith(fact.data);
  if (!before) return null;
  const after = changed(before, fact);
  return after.isLow && after.credits >= thresholdOf(after) ? { ...after, isLow: false } : after;
}

function changed(before: Account, { type, data }: LedgerFact): Account {
  const { credits, held } = before;
  switch (type) {
    case 'PlanChanged':
      return { ...before, plan: data.plan, plansVersion: data.plansVersion, planCredits: data.credits };
    case 'CreditsGranted':
      return {
        ...before,
        credits: credits + data.amount,
        ...(data.period && planGrant(before, data.period, data.amount)),
      };
    case 'CreditsAdjusted':
      return { ...before, credits: credits + data.amount };
    case 'CreditsHeld':
      return { ...before, held: held + data.price.amount };
    case 'HoldReleased':
      return { ...before, held: held - data.amount };
    case 'CreditsCharged': {
      const { metered } = data;
      const meters = metered ? read(before.meters, metered) : before.meters;
      return { ...before, credits: credits - data.price.amount, meters };
    }
    case 'LowBalanceSet':
      return { ...before, threshold: data.threshold, settingsVersion: versionOf(before) + 1 };
    case 'BalanceRanLow':
      return { ...before, isLow: true };
    default:
      return before;
  }
}

/** A meter that was read; those that were not for days have stopped. */
const read = (meters: Account['meters'], { meter, upTo }: Metered): Account['meters'] => ({
  ...Object.fromEntries(Object.entries(meters).filter(([, last]) => last > upTo - STOPPED)),
  [meter]: upTo,
});
const STOPPED = 2 * DAY;

const planGrant = (
  { period: before, planGranted }: Account,
  period: string,
  amount: Millicredits,
): Pick<Account, 'period' | 'planGranted'> => ({
  period,
  planGranted: (period === before ? planGranted : 0) + amount,
});
