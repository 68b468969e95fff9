import { Rejected } from '../../domain/rejected.js';
import { fairTurn } from '../../fair-turns.js';
import type { EventDoc } from './documents.js';
import type { Place } from './stream-queries.js';

/** What lists show of an event. */
export type ListedEvent = Pick<
  EventDoc,
  'event_id' | 'key' | 'occurred_at' | 'timestamp' | 'status' | 'value' | 'scores'
> & { readonly name: string };

/** Where an event lies. */
export type Lying = { readonly workspace: string; readonly event: { readonly event_id: string } };
/** Events as they were, from their journals, by their ids; those that were not there are absent. */
export type FromJournals = (some: readonly Lying[]) => Promise<ReadonlyMap<string, ListedEvent>>;

/** An event with the time, the name and the value of then; `exact`: the scores of then, too. */
export type Candidate = Lying & { readonly event: ListedEvent; readonly exact: boolean };

/** From which place in a stream on, or before which time; `atOnce`: so many are read in one go. */
export type Order = {
  readonly descending: boolean;
  readonly before: number | null;
  readonly place: Place | null;
  readonly atOnce: number;
};

type Known = Omit<EventDoc, '_id' | 'text'>;
export function candidate(doc: Known, name: string, asOf: number): Candidate {
  const { workspace, event_id, key, occurred_at, timestamp, status, value, scores, changed_at } = doc;
  const event = { event_id, key, occurred_at, timestamp, status, value, scores, name };
  return { workspace, event, exact: changed_at !== undefined && changed_at <= asOf };
}

type At = Pick<ListedEvent, 'occurred_at' | 'event_id'>;
const ordered = (a: At, b: At): number =>
  a.occurred_at - b.occurred_at || (a.event_id < b.event_id ? -1 : Number(a.event_id > b.event_id));
/** In order of occurrence. */
export const inTime = (a: Candidate, b: Candidate): number => ordered(a.event, b.event);

export const isIn = (event: At, { before, place }: Order): boolean =>
  (before === null || event.occurred_at < before)
  && (place === null || ordered(event, { occurred_at: place.occurredAt, event_id: place.id }) < 0);

/** Documents that are looked at in vain for one answer: what was recorded since. */
const MOST = 100_000;

/**
 * What is left of some documents that was recorded by a moment. Where others were among them, somebody else
 * has a turn first: there may be any number of these. @throws Rejected 422 when there were too many
 */
export function recordedThen(asOf: number, most = MOST) {
  let inVain = 0;
  return async <D>(workspace: string, page: readonly D[], timestamp: (doc: D) => number | undefined) => {
    const there = page.filter(doc => (timestamp(doc) ?? asOf) <= asOf);
    if (there.length === page.length) return there;
    inVain += page.length - there.length;
    if (inVain > most) throw tooManyEvents(most);
    await fairTurn(workspace);
    return there;
  };
}
export type RecordedThen = ReturnType<typeof recordedThen>;

export const tooManyEvents = (limit: number): Rejected =>
  new Rejected(
    'unprocessable',
    'too_many_events',
    `More than ${limit} events would have to be looked at that were recorded or changed since or were to`
      + ' come: name streams, ask for fewer, for such before a time, or of a later moment',
    { limit },
  );
