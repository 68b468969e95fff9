import type { Message } from '../fact.js';
import type { For, Millicredits, Price, Reference } from './credits.js';
import type { Plans } from './plans.js';
import type { CreditsGranted, Metered, OpeningTerms, PlanTerms, ReleaseReason } from './facts.js';

type OfLedger = { readonly organizationId: string };
/** `terms`: what a ledger that is not there yet is opened with. */
type Opening = OfLedger & { readonly terms: OpeningTerms };

export type OpenLedger = Message<'OpenLedger', Opening>;
export type ChangePlan = Message<'ChangePlan', Opening & { readonly to: PlanTerms }>;
/** A month (`2026-03`, UTC) has begun: the plan as it is now grants its credits for it. */
export type RenewPlan = Message<'RenewPlan', Opening & { readonly plans: Plans; readonly month: string }>;
export type GrantCredits = Message<'GrantCredits', Opening & Omit<CreditsGranted['data'], 'organizationId'>>;
export type AdjustCredits = Message<
  'AdjustCredits',
  Opening & { readonly amount: Millicredits; readonly note: string | null }
>;
export type HoldCredits = Message<'HoldCredits', Opening & For>;
/** Held, released and charged in one: for work that is done already. */
export type PayCredits = Message<'PayCredits', Opening & For>;
/** Ends a hold: `used` is what it came to, null the whole of it. */
export type ChargeHold = Message<
  'ChargeHold',
  OfLedger & { readonly reference: Reference; readonly used: Price | null }
>;
export type ReleaseHold = Message<
  'ReleaseHold',
  OfLedger & { readonly reference: Reference; readonly reason: Exclude<ReleaseReason, 'charged'> }
>;
export type ChargeMetered = Message<'ChargeMetered', Opening & For & { readonly metered: Metered }>;
/** `seen`: the version of the settings that is meant; null, and absent: whichever there is. */
export type SetLowBalance = Message<
  'SetLowBalance',
  Opening & { readonly threshold: Millicredits | null; readonly seen?: number | null }
>;

export type LedgerCommand =
  | OpenLedger
  | ChangePlan
  | RenewPlan
  | GrantCredits
  | AdjustCredits
  | HoldCredits
  | PayCredits
  | ChargeHold
  | ReleaseHold
  | ChargeMetered
  | SetLowBalance;
