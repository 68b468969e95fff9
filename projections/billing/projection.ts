import { purposeOf } from '../../domain/billing/credits.js';
import { accountAfter, availableIn } from '../../domain/billing/account.js';
import type { LedgerFact } from '../../domain/billing/facts.js';
import type { Fact } from '../../domain/fact.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { entryDocId, holdDocId, type AccountDoc, type EntryDoc, type HoldDoc } from './documents.js';
import { entryOf } from './entries.js';

type Docs = { ledger_entries: EntryDoc; ledger_holds: HoldDoc; ledger_accounts: AccountDoc };

/** The facts of a ledger, each with what it makes of the documents: all change the account. */
const types: readonly LedgerFact['type'][] = [
  'LedgerOpened',
  'PlanChanged',
  'CreditsGranted',
  'CreditsAdjusted',
  'CreditsHeld',
  'HoldReleased',
  'CreditsCharged',
  'LowBalanceSet',
  'BalanceRanLow',
];

/** Ledgers as they are read, and as those who write them begin. */
export const billingProjection: Projection = projection<Docs, LedgerFact>({
  name: 'billing',
  version: 2,
  carries: [1],
  collections: {
    ledger_entries: {
      indexes: [
        ['organization', '_id'],
        ['organization', 'reference_id', '_id'],
      ],
      idOf: fact => (entryOf(fact, null) ? entryDocId(fact.data.organizationId, fact.revision) : null),
    },
    ledger_holds: {
      indexes: [
        ['organization', '_id'],
        ['at', '_id'],
      ],
      idOf: ({ type, data }) =>
        type === 'CreditsHeld' || type === 'HoldReleased'
          ? holdDocId(data.organizationId, data.reference)
          : null,
    },
    ledger_accounts: { indexes: [['period', '_id']], idOf: ({ data }) => data.organizationId },
  },
  on: Object.fromEntries(types.map(type => [type, landed])),
});

function landed(before: Before<Docs>, fact: Fact<LedgerFact>): After<Docs> {
  const { ledger_accounts: doc, ledger_holds: hold } = before;
  const account = accountAfter(doc?.account ?? null, fact);
  if (!account) return {};
  const { organizationId } = fact.data;
  const entry = entryOf(fact, hold?.hold ?? null);
  const { type, revision, meta } = fact;
  const workspace = meta.workspace ?? '';
  const entries = doc?.entries ?? {};
  const opened = { CreditsHeld: 1, HoldReleased: -1 }[type as string] ?? 0;
  return {
    ledger_accounts: {
      _id: organizationId,
      ...{ account, revision, period: account.period },
      open_holds: (doc?.open_holds ?? 0) + opened,
      entries: entry ? { ...entries, [workspace]: (entries[workspace] ?? 0) + 1 } : entries,
    },
    ...(entry && { ledger_entries: entryDoc(fact, entry, availableIn(account)) }),
    ...holdAfter(fact),
  };
}

function entryDoc(
  { id, at, revision, data, meta }: Fact<LedgerFact>,
  entry: NonNullable<ReturnType<typeof entryOf>>,
  balance: number,
): EntryDoc {
  const { organizationId: organization } = data;
  const { price, reference, ...said } = entry;
  const { amount: _, ...rates } = price ?? { amount: 0 };
  return {
    _id: entryDocId(organization, revision),
    ledger_id: `led_${id}`,
    ...{ organization, at, balance },
    workspace: meta.workspace ?? '',
    ...said,
    price: price && (rates as EntryDoc['price']),
    reference_type: reference?.type ?? null,
    reference_id: reference?.id ?? null,
  };
}

function holdAfter({ type, data, meta, at }: Fact<LedgerFact>): After<Docs> {
  if (type === 'HoldReleased') return { ledger_holds: null };
  if (type !== 'CreditsHeld') return {};
  const { organizationId, reference } = data;
  return {
    ledger_holds: {
      _id: holdDocId(organizationId, reference),
      ...{ organization: organizationId, at },
      hold: { ...purposeOf(data), workspace: meta.workspace, at },
    },
  };
}
