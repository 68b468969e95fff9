import { LATEST } from '../../domain/time.js';
import type { Reader } from '../engine/reader.js';
import { nameOf, type EventDoc } from './documents.js';
import {
  candidate,
  inTime,
  isIn,
  recordedThen,
  type Candidate,
  type FromJournals,
  type ListedEvent,
  type Order,
} from './candidates.js';
import { candidatesThen, type Changed, type Streams } from './candidates-then.js';
import { BY_TIME, cut, type Place } from './stream-queries.js';

type Stream = { readonly workspace: string; readonly key: string };

/** Documents that are read in one go, at most. */
const AT_ONCE = 250;
const FIELDS = [
  ...['workspace', 'event_id', 'key', 'occurred_at', 'timestamp', 'status', 'value', 'scores'],
  ...['changed_at', 'text', 'given'],
];

export type ThenQueries = ReturnType<typeof thenQueries>;

/**
 * Events as lists showed them at a moment, epoch ms. Read from the documents of now where these are as they
 * were, otherwise from what they were before a revision, or from journals. A stream that was deleted since is
 * as one that began then. For one answer, which looks at `most` documents in vain.
 */
export function thenQueries(read: Reader, asOf: number, fromJournals: FromJournals, most?: number) {
  const there = recordedThen(asOf, most);
  const { changedSince, ahead } = candidatesThen(read, asOf, { fromJournals, there });

  /**
   * What of a stream occurs by then, in its order, whenever it was recorded. More and more is read in one go:
   * the first of few that are wanted are there almost always.
   */
  async function* occurred({ workspace, key }: Stream, { descending, before, place, atOnce }: Order) {
    let after = place && [place.occurredAt, `${workspace}/${place.id}`];
    for (let limit = atOnce; ; limit = Math.min(2 * limit, AT_ONCE)) {
      const page = await read.find<EventDoc>('events', {
        where: { workspace, key, occurred_at: { lte: asOf, ...(before !== null && { lt: before }) } },
        sort: { by: BY_TIME, descending },
        limit,
        fields: FIELDS,
        ...(after && { after }),
      });
      yield page;
      const last = page.at(-1);
      if (!last || page.length < limit) return;
      after = [last.occurred_at, last._id];
    }
  }

  /** Those that had happened, in order of occurrence, page by page, with those that are `changed`. */
  async function* happened(stream: Stream, changed: Changed, order: Order) {
    const compare = order.descending ? (a: Candidate, b: Candidate) => inTime(b, a) : inTime;
    const rest = [...changed.values()].filter(({ event }) => event.occurred_at <= asOf && isIn(event, order));
    rest.sort(compare);
    for await (const page of occurred(stream, order)) {
      const were = await there(stream.workspace, page, ({ timestamp }) => timestamp);
      const all = were.map(doc => candidate(doc, nameOf(doc), asOf));
      const last = all.at(-1);
      if (!last) continue;
      const behind = rest.findIndex(each => compare(each, last) > 0);
      const between = rest.splice(0, behind < 0 ? rest.length : behind);
      yield [...all.filter(({ event }) => !changed.has(event.event_id)), ...between].sort(compare);
    }
    yield rest;
  }

  async function* inOrder(stream: Stream, order: Order): AsyncGenerator<Candidate[]> {
    const streams = { workspace: stream.workspace, keys: [stream.key] };
    const changed = await changedSince(streams);
    const isPast = (order.before ?? LATEST) <= asOf || (order.place?.occurredAt ?? LATEST) <= asOf;
    const toCome = isPast ? [] : await ahead(streams, changed, LATEST);
    const some = toCome.filter(({ event }) => isIn(event, order));
    if (order.descending) yield some.reverse();
    yield* happened(stream, changed, order);
    if (!order.descending) yield some;
  }

  async function first(stream: Stream, limit: number, order: Pick<Order, 'before' | 'place'>) {
    const found: Candidate[] = [];
    for await (const page of inOrder(stream, {
      ...order,
      descending: true,
      atOnce: Math.min(limit, AT_ONCE),
    })) {
      found.push(...page);
      if (found.length >= limit) break;
    }
    return found.slice(0, limit);
  }

  /** With the scores of then. */
  async function exactly(some: readonly Candidate[]): Promise<ListedEvent[]> {
    const unsure = some.filter(({ exact }) => !exact);
    const were = unsure.length > 0 ? await fromJournals(unsure) : null;
    return some.map(({ event }) => ({ ...event, ...were?.get(event.event_id), key: event.key }));
  }

  return {
    exactly,

    /** As `streamPage`. */
    async streamPage(stream: Stream, limit: number, before: number | null, place: Place | null) {
      const found = await first(stream, limit + 1, { before, place });
      return cut(await exactly(found), limit);
    },

    /** All events of a stream in order of occurrence, page by page. */
    async *points(stream: Stream): AsyncGenerator<ListedEvent[]> {
      const all = { descending: false, before: null, place: null, atOnce: AT_ONCE };
      for await (const page of inOrder(stream, all)) if (page.length > 0) yield await exactly(page);
    },

    /** The values of the newest events of a stream that occur before one. */
    async valuesBefore(stream: Stream, { occurred_at: occurredAt, event_id: id }: EventDoc, limit: number) {
      const found = await first(stream, limit, { before: null, place: { occurredAt, id } });
      return found.flatMap(({ event: { value } }) => value ?? []);
    },

    /** Events that were to come until a time, soonest first. */
    toCome: async (streams: Streams, until: number): Promise<Candidate[]> =>
      ahead(streams, await changedSince(streams), until),
  };
}

/** An event that stands now, as lists show it. */
export const listedNow = (event: EventDoc): ListedEvent => ({ ...event, name: nameOf(event) });
