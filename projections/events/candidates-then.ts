import { LATEST } from '../../domain/time.js';
import type { Doc } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';
import { candidate, inTime, tooManyEvents, type Candidate } from './candidates.js';
import type { FromJournals, Lying, RecordedThen } from './candidates.js';
import { nameOf, type DueDoc, type EventDoc, type RevisionDoc, type WithdrawnDoc } from './documents.js';

/** Streams of a workspace; null: all. */
export type Streams = { readonly workspace: string; readonly keys: readonly string[] | null };
/** By id. */
export type Changed = ReadonlyMap<string, Candidate>;

/** Documents that are read in one go. */
const AT_ONCE = 250;
/** Of what was there: revisions since, withdrawals since and events to come, of each so many. */
const MOST = 10_000;

/** Events whose place in the order of now may not be the one that they had at a moment. */
export function candidatesThen(
  read: Reader,
  asOf: number,
  { fromJournals, there }: { readonly fromJournals: FromJournals; readonly there: RecordedThen },
) {
  /** Of events that were recorded by then. */
  async function* seen<D extends Doc>(
    collection: string,
    { workspace, keys }: Streams,
    { by, recorded, end = LATEST }: Seen<D>,
  ) {
    const key = keys?.length === 1 ? keys[0]! : keys && { in: keys };
    const where = { workspace, ...(key && { key }), [by]: { gt: asOf, lte: end } };
    let looked = 0;
    for await (const page of read.pages<D>(collection, { where, sort: { by: [by, '_id'] } })) {
      const some = await there(workspace, page, recorded);
      looked += some.length;
      if (looked > MOST) throw tooManyEvents(MOST);
      yield some;
    }
  }

  /** What was there and is revised or withdrawn since, by id. */
  async function changedSince(streams: Streams): Promise<Changed> {
    const found = new Map<string, Candidate>();
    for await (const page of seen('event_revisions', streams, REVISED))
      for (const { event_id: id, before } of page)
        if (!found.has(id)) found.set(id, candidate(before, before.name, asOf));
    const gone: Lying[] = [];
    for await (const page of seen('event_withdrawn', streams, WITHDRAWN))
      for (const { workspace, event_id } of page) gone.push({ workspace, event: { event_id } });
    if (gone.length === 0) return found;
    for (const [id, event] of await fromJournals(gone))
      found.set(id, { workspace: streams.workspace, event, exact: true });
    return found;
  }

  /** Those that were to come until a time, soonest first. */
  async function ahead(streams: Streams, changed: Changed, end: number): Promise<Candidate[]> {
    const ids = new Set<string>();
    for (const collection of ['event_due', 'event_came_due'])
      for await (const page of seen(collection, streams, { ...DUE, end }))
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

type Seen<D> = {
  readonly by: string;
  /** When the event was; absent in documents of before that was kept. */
  readonly recorded: (doc: D) => number | undefined;
  readonly end?: number;
};
const REVISED: Seen<RevisionDoc> = { by: 'until', recorded: ({ before }) => before.timestamp };
const WITHDRAWN: Seen<WithdrawnDoc> = { by: 'until', recorded: ({ timestamp }) => timestamp };
const DUE: Seen<DueDoc> = { by: 'due_at', recorded: ({ timestamp }) => timestamp };

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) =>
    all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
