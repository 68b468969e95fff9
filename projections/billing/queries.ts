import { holdId, type Hold, type LedgerState } from '../../domain/billing/ledger.js';
import { PersistentMap } from '../../domain/persistent-map.js';
import type { Reader } from '../engine/reader.js';
import type { Where } from '../engine/read-models.js';
import type { AccountDoc, EntryDoc, EntryKind, HoldDoc } from './documents.js';

/** Which entries; null: whichever. Times (epoch ms) are both included. */
export type EntryFilter = {
  readonly kind: EntryKind | null;
  readonly reference: string | null;
  readonly from: number | null;
  readonly to: number | null;
};
export type LedgerQueries = ReturnType<typeof ledgerQueries>;

/** Tries to see an account and its holds as they are at one moment. */
const LOOKS = 3;

export const ledgerQueries = (read: Reader) => {
  const accountOf = (organizationId: string) => read.get<AccountDoc>('ledger_accounts', organizationId);

  return {
    /** Null: the ledger is not open yet. */
    account: accountOf,

    /** Those of several organizations, by organization; a ledger that is not open yet has none. */
    accountsOf: (organizationIds: readonly string[]) =>
      read.load<AccountDoc>('ledger_accounts', organizationIds),

    /** Accounts of all organizations, page by page. */
    accounts: () => read.pages<AccountDoc>('ledger_accounts', { where: {}, sort: { by: ['_id'] } }),

    /** Organizations whose plan has granted nothing yet for a month (`2026-03`), page by page. */
    ungranted: (month: string) =>
      read.pages<AccountDoc>('ledger_accounts', {
        where: { period: { lt: month } },
        sort: { by: ['period', '_id'] },
        fields: ['period'],
      }),

    /** Holds of all organizations that were made before a time, the oldest first, page by page. */
    holdsBefore: (at: number) =>
      read.pages<HoldDoc>('ledger_holds', { where: { at: { lt: at } }, sort: { by: ['at', '_id'] } }),

    /** What a workspace sees of the ledger: its own entries and those of the organization, newest first. */
    async entries(
      organizationId: string,
      workspace: string,
      filter: EntryFilter,
      limit: number,
      offset: number,
    ) {
      const where = whereOf(organizationId, workspace, filter);
      const isAll = Object.values(filter).every(value => value === null);
      const [entries, total] = await Promise.all([
        read.find<EntryDoc>('ledger_entries', {
          where,
          sort: { by: ['_id'], descending: true },
          ...{ limit, offset },
        }),
        isAll ? countOf(organizationId, workspace) : read.count('ledger_entries', where),
      ]);
      return { entries, total };
    },

    /**
     * A ledger as those who write it begin. Documents may be written one after the other: an account and its
     * holds that do not fit together are looked at again. Null: there is none, or they never did.
     */
    async known(organizationId: string) {
      for (let look = 0; look < LOOKS; look++) {
        const doc = await accountOf(organizationId);
        if (!doc) return null;
        const where = { organization: organizationId };
        let holds = PersistentMap.empty<Hold>();
        let last = 0;
        for await (const page of read.pages<HoldDoc>('ledger_holds', { where, sort: { by: ['_id'] } }))
          for (const { hold, _at } of page) {
            holds = holds.with(holdId(hold.reference), hold);
            last = Math.max(last, _at);
          }
        // None is ahead of the account, and none that it counts is gone
        if (last > doc._at || holds.size !== doc.open_holds) continue;
        const state: LedgerState = { account: doc.account, holds };
        return { state, revision: doc.revision, position: doc._at };
      }
      return null;
    },
  };

  async function countOf(organizationId: string, workspace: string): Promise<number> {
    const entries = (await accountOf(organizationId))?.entries ?? {};
    return (entries[workspace] ?? 0) + (entries[''] ?? 0);
  }
};

function whereOf(organization: string, workspace: string, filter: EntryFilter): Where {
  const { kind, reference, from, to } = filter;
  const at = { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) };
  return {
    organization,
    workspace: { in: [workspace, ''] },
    ...(kind !== null && { kind }),
    ...(reference !== null && { reference_id: reference }),
    ...(Object.keys(at).length > 0 && { at }),
  };
}
