import type { Account } from '../../domain/billing/account.js';
import type { Millicredits, Price, Reference } from '../../domain/billing/credits.js';
import { holdId, type Hold } from '../../domain/billing/ledger.js';

/** What an organization has, at a revision of its ledger's journal. */
export type AccountDoc = {
  /** The organization. */
  readonly _id: string;
  readonly account: Account;
  /** As in the account. */
  readonly period: string;
  readonly revision: number;
  /** How many holds are open. */
  readonly open_holds: number;
  /** How many entries there are by workspace; `''`: of the organization itself. */
  readonly entries: Readonly<Record<string, number>>;
};

/** Credits that are kept for work under way. `at`: epoch ms. */
export type HoldDoc = {
  readonly _id: string;
  readonly organization: string;
  readonly at: number;
  readonly hold: Hold;
};

export const ENTRY_KINDS = ['grant', 'charge', 'hold', 'release', 'refund', 'adjustment'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** A line of a ledger. `amount` is what it adds to what is available, `balance` what is available then. */
export type EntryDoc = {
  /** By organization, in the order of the ledger. */
  readonly _id: string;
  readonly ledger_id: string;
  readonly organization: string;
  /** `''`: the organization's own. */
  readonly workspace: string;
  readonly at: number;
  readonly kind: EntryKind;
  readonly amount: Millicredits;
  readonly balance: Millicredits;
  readonly price: Omit<Price, 'amount'> | null;
  readonly reference_type: string | null;
  readonly reference_id: string | null;
  readonly pipeline_id: string | null;
  readonly note: string | null;
};

export const holdDocId = (organizationId: string, reference: Reference): string =>
  `${organizationId}/${holdId(reference)}`;
export const entryDocId = (organizationId: string, revision: number): string =>
  `${organizationId}/${String(revision).padStart(12, '0')}`;
