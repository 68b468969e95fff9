import { LATEST } from '../../domain/time.js';
import type { Doc } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';
import { candidate, inTime, tooManyEvents, type Candidate } from './candidates.js';
import type { FromJournals, Lying } from './candidates.js';
import { nameOf, type DueDoc, type EventDoc, type RevisionDoc, type WithdrawnDoc } from './documents.js';

/** Streams of a workspace; null: all. */
export type Streams = { readonly workspace: string; readonly keys: readonly string[] | null };
/** By id. */
export type Changed = ReadonlyMap<string, Candidate>;

/** Documents that are read in one go. */
const AT_ONCE = 250;
/** Revisions since, withdrawals since and events to come that are looked at: of each so many. */
const MOST = 10_000;

/** Events whose place in the order of now may not be the one that they had at a moment. */
export function candidatesThen(read: Reader, asOf: number, fromJournals: FromJournals) {
  async function* seen<D extends Doc>(
    collection: string,
    { workspace, keys }: Streams,
    by: string,
    end = LATEST,
  ) {
    const key = keys?.length === 1 ? keys[0]! : keys && { in: keys };
    const where = { workspace, ...(key && { key }), [by]: { gt: asOf, lte: end } };
    let looked = 0;
    for await (const page of read.pages<D>(collection, { where, sort: { by: [by, '_id'] } })) {
      looked += page.length;
      if (looked > MOST) throw tooManyEvents(MOST);
      yield page;
    }
  }

  /** What was there and is revised or withdrawn since, by id. */
  async function changedSince(streams: Streams): Promise<Changed> {
    const found = new Map<string, Candidate>();
    for await (const page of seen<RevisionDoc>('event_revisions', streams, 'until'))
      for (const { event_id: id, before } of page)
        if (before.timestamp <= asOf && !found.has(id)) found.set(id, candidate(before, before.name, asOf));
    const gone: Lying[] = [];
    for await (const page of seen<WithdrawnDoc>('event_withdrawn', streams, 'until'))
      for (const { workspace, event_id, timestamp } of page)
        if (timestamp <= asOf) gone.push({ workspace, event: { event_id } });
    if (gone.length === 0) return found;
    for (const [id, event] of await fromJournals(gone))
      found.set(id, { workspace: streams.workspace, event, exact: true });
    return found;
  }

  /** Those that were to come until a time, soonest first. */
  async function ahead(streams: Streams, changed: Changed, end: number): Promise<Candidate[]> {
    const ids = new Set<string>();
    for (const collection of ['event_due', 'event_came_due'])
      for await (const page of seen<DueDoc>(collection, streams, 'due_at', end))
        for (const { _id, event_id } of page) if (!changed.has(event_id)) ids.add(_id);
    const found = [...changed.values()];
    for (const some of inParts([...ids]))
      for (const doc of (await read.load<EventDoc>('events', some)).values())
        if (doc.timestamp <= asOf) found.push(candidate(doc, nameOf(doc), asOf));
    const are = found.filter(({ event: { occurred_at: at } }) => at > asOf && at <= end);
    return are.sort(inTime);
  }

  return { changedSince, ahead };
}

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) =>
    all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
