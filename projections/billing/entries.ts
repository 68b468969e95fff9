import type { Price, Reference } from '../../domain/billing/credits.js';
import type { LedgerFact } from '../../domain/billing/facts.js';
import type { Hold } from '../../domain/billing/ledger.js';
import type { EntryDoc } from './documents.js';

/** What an entry of the ledger says of its fact. */
export type Entry = Pick<EntryDoc, 'kind' | 'amount' | 'note' | 'pipeline_id'> & {
  readonly price: Price | null;
  readonly reference: Reference | null;
};

const NOTHING = { price: null, reference: null, pipeline_id: null, note: null } as const;

/** Facts that change what is available are entries. `hold`: the one that is released. */
export function entryOf({ type, data }: LedgerFact, hold: Hold | null): Entry | null {
  switch (type) {
    case 'LedgerOpened':
      return { ...NOTHING, kind: 'grant', amount: data.credits, note: planNote(data.plan, data.period) };
    case 'CreditsGranted': {
      const { amount, note } = data;
      if (amount === 0) return null;
      return { ...NOTHING, kind: 'grant', amount, note };
    }
    case 'CreditsAdjusted':
      return { ...NOTHING, kind: 'adjustment', amount: data.amount, note: data.note };
    case 'CreditsHeld':
      return { ...worked(data), kind: 'hold', amount: -data.price.amount };
    case 'CreditsCharged':
      return { ...worked(data), kind: 'charge', amount: -data.price.amount };
    case 'HoldReleased': {
      const { amount, reason, reference } = data;
      const work = hold ? worked(hold) : { ...NOTHING, reference };
      return { ...work, kind: 'release', amount, note: reason };
    }
    default:
      return null;
  }
}

const worked = ({ price, reference, pipelineId }: Pick<Hold, 'price' | 'reference' | 'pipelineId'>) => ({
  ...{ price, reference },
  pipeline_id: pipelineId,
  note: null,
});

const planNote = (plan: string, period: string): string => `plan ${plan}, ${period}`;
