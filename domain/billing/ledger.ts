import type { Decider } from '../decider.js';
import type { NewFact } from '../fact.js';
import { PersistentMap } from '../persistent-map.js';
import { Rejected } from '../rejected.js';
import { mindVersion } from '../versions.js';
import { accountAfter, availableIn, thresholdOf, versionOf, type Account } from './account.js';
import { creditsText } from './amounts.js';
import type {
  AdjustCredits,
  ChargeHold,
  ChargeMetered,
  GrantCredits,
  HoldCredits,
  LedgerCommand,
  PayCredits,
} from './commands.js';
import { purposeOf, type For, type Millicredits, type Price, type Reference } from './credits.js';
import type { LedgerFact, ReleaseReason } from './facts.js';
import { planChanged, renewed } from './renewal.js';

/** Credits that are kept for work under way, whose it is in `workspace`. */
export type Hold = For & { readonly workspace: string | null; readonly at: number };
export type LedgerState = {
  readonly account: Account | null;
  /** Open ones alone, by `holdId`. */
  readonly holds: PersistentMap<Hold>;
};
const initialState: LedgerState = { account: null, holds: PersistentMap.empty() };

/** What is paid for, as one text. */
export const holdId = ({ type, id }: Reference): string => `${type}/${id}`;

function decide(command: LedgerCommand, state: LedgerState): readonly LedgerFact[] {
  const { organizationId } = command.data;
  const opened: LedgerFact[] = [];
  let { account } = state;
  if (!account && 'terms' in command.data) {
    const fact = { type: 'LedgerOpened', data: { organizationId, ...command.data.terms } } as const;
    opened.push(fact);
    account = accountAfter(null, fact);
  }
  if (!account) return [];
  const decided = [...opened, ...decidedIn(command, account, state.holds)];
  return [...decided, ...lowness(organizationId, state.account, decided)];
}

function decidedIn(command: LedgerCommand, account: Account, holds: LedgerState['holds']): LedgerFact[] {
  switch (command.type) {
    case 'OpenLedger':
      return [];
    case 'ChangePlan':
      return planChanged(command, account);
    case 'RenewPlan':
      return renewed(command, account);
    case 'GrantCredits':
      return granted(command, account);
    case 'AdjustCredits':
      return adjusted(command, account);
    case 'HoldCredits':
      return held(command, account, holds);
    case 'PayCredits':
      return paid(command, account);
    case 'ChargeHold':
      return charged(command, account, holds);
    case 'ReleaseHold': {
      const { organizationId, reference, reason } = command.data;
      const hold = holds.get(holdId(reference));
      return hold ? [released(organizationId, hold, reason)] : [];
    }
    case 'ChargeMetered':
      return metered(command, account);
    case 'SetLowBalance': {
      const { organizationId, threshold, seen } = command.data;
      mindVersion('The settings', seen, versionOf(account));
      if (threshold === account.threshold) return [];
      return [{ type: 'LowBalanceSet', data: { organizationId, threshold } }];
    }
  }
}

function granted({ data }: GrantCredits, account: Account): LedgerFact[] {
  const { terms: _, ...grant } = data;
  if (grant.period !== null && grant.period <= account.period) return [];
  mindMost(account, grant.amount);
  return [{ type: 'CreditsGranted', data: grant }];
}

function adjusted({ data: { organizationId, amount, note } }: AdjustCredits, account: Account): LedgerFact[] {
  if (amount === 0) return [];
  mindMost(account, amount);
  if (amount < 0) mindCovered(account, -amount);
  return [{ type: 'CreditsAdjusted', data: { organizationId, amount, note } }];
}

/** What is held already is held once. */
function held({ data }: HoldCredits, account: Account, holds: LedgerState['holds']): LedgerFact[] {
  const { terms: _, ...hold } = data;
  if (holds.has(holdId(hold.reference))) return [];
  mindCovered(account, hold.price.amount);
  return [{ type: 'CreditsHeld', data: hold }];
}

function paid({ data }: PayCredits, account: Account): LedgerFact[] {
  const { terms: _, ...hold } = data;
  const { organizationId, price } = hold;
  mindCovered(account, price.amount);
  return [{ type: 'CreditsHeld', data: hold }, ...chargedOf(organizationId, hold, price)];
}

function charged({ data }: ChargeHold, account: Account, holds: LedgerState['holds']): LedgerFact[] {
  const { organizationId, reference, used } = data;
  const hold = holds.get(holdId(reference));
  if (!hold) return [];
  const price = used ?? hold.price;
  // More than was held must be there besides
  mindCovered(account, price.amount - hold.price.amount);
  return chargedOf(organizationId, hold, price);
}

function chargedOf(organizationId: string, hold: For, price: Price): LedgerFact[] {
  const charge = { organizationId, ...purposeOf({ ...hold, price }), metered: null };
  return [released(organizationId, hold, 'charged'), { type: 'CreditsCharged', data: charge }];
}

function metered({ data }: ChargeMetered, account: Account): LedgerFact[] {
  const { terms: _, ...charge } = data;
  if ((account.meters[charge.metered.meter] ?? -Infinity) >= charge.metered.upTo) return [];
  mindCovered(account, charge.price.amount);
  return [{ type: 'CreditsCharged', data: charge }];
}

const released = (organizationId: string, { price, reference }: For, reason: ReleaseReason): LedgerFact => ({
  type: 'HoldReleased',
  data: { organizationId, reference, amount: price.amount, reason },
});

/** That the balance ran low is told when a charge takes it below the threshold; once. */
function lowness(
  organizationId: string,
  before: Account | null,
  decided: readonly LedgerFact[],
): LedgerFact[] {
  const after = decided.reduce(accountAfter, before);
  if (!after || decided.length === 0 || after.isLow || after.credits >= thresholdOf(after)) return [];
  const data = { organizationId, credits: after.credits, threshold: thresholdOf(after) };
  return [{ type: 'BalanceRanLow', data }];
}

/** More than anybody has, and so little that sums of it are exact. */
const MOST: Millicredits = 1e15;

function mindMost({ credits }: Account, amount: Millicredits): void {
  if (credits + amount <= MOST) return;
  throw new Rejected('invalid', 'too_many_credits', `At most ${creditsText(MOST)} credits can be had`, {
    field: 'amount',
  });
}

function mindCovered(account: Account, amount: Millicredits): void {
  const available = availableIn(account);
  if (amount <= Math.max(available, 0)) return;
  throw insufficientCredits(amount, available);
}

export const insufficientCredits = (needed: Millicredits, available: Millicredits): Rejected =>
  new Rejected(
    'unpaid',
    'insufficient_credits',
    `${creditsText(needed)} credits are needed, and ${creditsText(available)} are available`,
    { needed: creditsText(needed), balance: creditsText(available) },
  );

/** What a ledger becomes does not hang on where its facts come to stand in the log. */
function evolve({ account, holds }: LedgerState, fact: NewFact<LedgerFact>): LedgerState {
  return { account: accountAfter(account, fact), holds: holdsAfter(holds, fact) };
}

function holdsAfter(holds: LedgerState['holds'], { type, data, meta, at }: NewFact<LedgerFact>) {
  if (type === 'CreditsHeld') {
    return holds.with(holdId(data.reference), { ...purposeOf(data), workspace: meta.workspace, at });
  }
  return type === 'HoldReleased' ? holds.without(holdId(data.reference)) : holds;
}

/** An organization's credits: granted, held, charged; never below zero. */
export const ledgers: Decider<LedgerCommand, LedgerFact, LedgerState> & { readonly evolve: typeof evolve } = {
  category: 'ledger',
  idOf: ({ data }) => data.organizationId,
  initialState,
  decide,
  evolve,
};
