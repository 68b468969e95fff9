import type { Message } from '../fact.js';
import type { For, Millicredits, Reference } from './credits.js';

// A ledger is an organization's. The envelope says which workspace a fact is about; null: the organization.

type OfLedger = { readonly organizationId: string };

/** A plan as it stood when it was given; `credits`: granted by it each month. */
export type PlanTerms = {
  readonly plan: string;
  readonly plansVersion: string;
  readonly credits: Millicredits;
};

/** The plan that a ledger is opened with, and the month (`2026-03`, UTC) it is opened in. */
export type OpeningTerms = PlanTerms & { readonly period: string };

/** The first fact of each ledger; it begins with the plan's credits for that month. */
export type LedgerOpened = Message<'LedgerOpened', OfLedger & OpeningTerms>;
/** From the next month on its credits are granted; `CreditsGranted` tells of those that are more at once. */
export type PlanChanged = Message<'PlanChanged', OfLedger & PlanTerms>;

/** `period`: the month (`2026-03`) that a plan grants for; null: an operator's grant. */
export type CreditsGranted = Message<
  'CreditsGranted',
  OfLedger & {
    readonly amount: Millicredits;
    readonly reason: 'plan' | 'operator';
    readonly note: string | null;
    readonly period: string | null;
  }
>;
/** Put right by an operator; may be below zero. */
export type CreditsAdjusted = Message<
  'CreditsAdjusted',
  OfLedger & { readonly amount: Millicredits; readonly note: string | null }
>;

/** Credits are kept for work that begins. There is one open hold for what is paid for. */
export type CreditsHeld = Message<'CreditsHeld', OfLedger & For>;
export const RELEASES = ['charged', 'failed', 'cancelled', 'abandoned'] as const;
/** `charged`: what was used is charged in the same moment; `abandoned`: nobody knows of the work. */
export type ReleaseReason = (typeof RELEASES)[number];
/** The whole of a hold is given back. */
export type HoldReleased = Message<
  'HoldReleased',
  OfLedger & {
    readonly reference: Reference;
    readonly amount: Millicredits;
    readonly reason: ReleaseReason;
  }
>;

/** What is used bit by bit, as by the hour: what of it is charged up to when (epoch ms). */
export type Metered = { readonly meter: string; readonly upTo: number };

/** `metered`: without a hold; null: what was held. */
export type CreditsCharged = Message<'CreditsCharged', OfLedger & For & { readonly metered: Metered | null }>;

/** Null: a tenth of the plan's credits. */
export type LowBalanceSet = Message<'LowBalanceSet', OfLedger & { readonly threshold: Millicredits | null }>;
/** Credits fell below the threshold; once, until they have been above it again. */
export type BalanceRanLow = Message<
  'BalanceRanLow',
  OfLedger & { readonly credits: Millicredits; readonly threshold: Millicredits }
>;

export type LedgerFact =
  | LedgerOpened
  | PlanChanged
  | CreditsGranted
  | CreditsAdjusted
  | CreditsHeld
  | HoldReleased
  | CreditsCharged
  | LowBalanceSet
  | BalanceRanLow;
