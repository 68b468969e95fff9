import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import type { EventFact } from './facts.js';

/** When an event was to happen (epoch ms), and the revision of its journal that said so; the latest last. */
export type Times = readonly { readonly revision: number; readonly occurredAt: number }[];

function evolve(known: Times, fact: Fact<EventFact>): Times {
  const said = saidBy(fact);
  return said === undefined ? known : [...known, { revision: fact.revision, occurredAt: said }];
}

function saidBy({ type, data }: Fact<EventFact>): number | undefined {
  if (type === 'EventRecorded') return data.occurredAt;
  return type === 'EventRevised' ? data.changes.occurredAt : undefined;
}

/** Journals of events, looked at for when they were to happen; nothing is decided here. */
export const eventTimes: Decider<Message<never, never>, EventFact, Times> = {
  category: 'event',
  idOf: () => '',
  initialState: [],
  decide: () => [],
  evolve,
};

/** When an event was to happen before a fact of its journal; null: it was not there yet. */
export const timeBefore = (known: Times, { revision }: Pick<Fact, 'revision'>): number | null =>
  known.findLast(each => each.revision < revision)?.occurredAt ?? null;
