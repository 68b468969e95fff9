import { Readable } from 'node:stream';
import { fairTurn, paced } from '../../fair-turns.js';
import type { EventDoc, StreamDoc } from '../../projections/events/documents.js';
import type { EventQueries } from '../../projections/events/queries.js';
import { keptWhileSame } from '../../projections/catalogue/kept.js';
import type { Stored } from '../../projections/engine/read-models.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import { summaryView, type Summaries } from '../catalogue/stream-summary.js';
import { pointView } from './views.js';

export type Points = { readonly points: 'all' | 'none'; readonly maxPoints: number | null };

/** Pages of points as text, and between which times they read so: what is to come is marked as such. */
type PointsText = { readonly pages: readonly string[]; readonly from: number; readonly until: number };

/** What is shown of an event among others. */
export type Point = Pick<EventDoc, 'occurred_at' | 'timestamp' | 'scores'>;
export type Pace = ReturnType<typeof paced>;

/** Letters of points that are kept while their streams stay as they are: of all, and of one at most. */
const KEPT = { all: 32 * 1024 * 1024, each: 8 * 1024 * 1024 };
/** Points that one turn is for; a stream, or a page of points that was kept, costs as much as so many. */
export const A_TURN = 250;
export const AS_POINTS = 12;

/**
 * The stream list as a stream of JSON text: memory stays flat however many points there are, and others have
 * their turn in between. All points of a stream are read again only when something of it has changed.
 */
export function streamLists(reads: EventReads, edges: Summaries) {
  const kept = keptWhileSame<PointsText>(KEPT.all, lettersOf);

  async function* listText(workspace: string, { points, maxPoints }: Points, now: number) {
    await fairTurn(workspace);
    const scheduled = await reads.scheduled(workspace, now);
    let separator = '{"data":{"streams":[';
    const pace = paced(workspace, A_TURN);
    for await (const page of reads.streams(workspace)) {
      const some = page.filter(({ count }) => count > 0);
      const keys = some.map(({ key }) => key);
      const driving = await edges(workspace, keys);
      for (const stream of some) {
        const queries = await reads.ofStream(workspace, stream.key);
        const latest = await queries?.mostRecent(workspace, stream.key, now);
        if (!queries || !latest) continue;
        const { key } = stream;
        const summary = JSON.stringify(summaryView(stream, latest, scheduled.get(key), driving.get(key)));
        yield `${separator}${summary.slice(0, -1)},"points":[`;
        separator = ',';
        if (points === 'all' && maxPoints === null) yield* allPoints(queries, stream, now, pace);
        else if (points === 'all') {
          const some = { pages: queries.points(stream.workspace, key), count: stream.count };
          yield* fewerPoints(some, maxPoints!, now, pace);
        }
        yield ']}';
        await pace(AS_POINTS);
      }
    }
    yield separator === ',' ? ']}}' : `${separator}]}}`;
  }

  /** As kept, or read and kept. */
  async function* allPoints(queries: EventQueries, stream: Stored<StreamDoc>, now: number, pace: Pace) {
    const same = kept.get(stream);
    if (same && same.from <= now && now < same.until) {
      for (const page of same.pages) {
        yield page;
        await pace(AS_POINTS);
      }
      return;
    }
    // A page of facts may be half written: what is ahead of the whole is not kept
    const isWhole = stream._at <= (await queries.upTo());
    const pages: string[] = [];
    let letters = 0;
    let until = Infinity;
    for await (const page of queries.points(stream.workspace, stream.key)) {
      const text = (letters === 0 ? '' : ',') + textOf(page, now);
      letters += text.length;
      if (letters <= KEPT.each) pages.push(text);
      for (const { occurred_at } of page) if (occurred_at > now) until = Math.min(until, occurred_at);
      yield text;
      await pace(page.length);
    }
    if (isWhole && letters <= KEPT.each) kept.keep(stream, { pages, from: now, until });
  }

  return (workspace: string, points: Points, now: number): Readable =>
    Readable.from(listText(workspace, points, now), { objectMode: false, highWaterMark: 65_536 });
}

const lettersOf = ({ pages }: PointsText): number => pages.reduce((sum, { length }) => sum + length, 0);

export const textOf = (events: readonly Point[], now: number): string =>
  events.map(event => JSON.stringify(pointView(event, now))).join(',');

/** About so many of the points. */
export async function* fewerPoints(
  { pages, count }: { readonly pages: AsyncIterable<readonly Point[]>; readonly count: number },
  maxPoints: number,
  now: number,
  pace: Pace,
) {
  const keep = highestOfEach(Math.ceil(count / maxPoints));
  let separator = '';
  for await (const page of pages) {
    const some = page.flatMap(keep.next);
    if (some.length > 0) {
      yield separator + textOf(some, now);
      separator = ',';
    }
    await pace(page.length);
  }
  const last = keep.rest();
  if (last) yield separator + textOf([last], now);
}

/** Lets through, of every `size` events one after the other, the one of highest rank; of equals the first. */
function highestOfEach(size: number) {
  let best: Point | null = null;
  let seen = 0;
  const rank = (event: Point) => event.scores?.rank ?? -1;
  return {
    next(event: Point): Point[] {
      if (size === 1) return [event];
      if (!best || rank(event) > rank(best)) best = event;
      if (++seen < size) return [];
      const kept = [best];
      best = null;
      seen = 0;
      return kept;
    },
    rest: (): Point | null => best,
  };
}
