import { Readable } from 'node:stream';
import { fairTurn } from '../../fair-turns.js';
import type { EventDoc, StreamDoc } from '../../projections/events/documents.js';
import type { EventQueries } from '../../projections/events/queries.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import { summaryView } from '../catalogue/stream-summary.js';
import { pointView } from './views.js';

export type Points = { readonly points: 'all' | 'none'; readonly maxPoints: number | null };

/**
 * The stream list as a stream of JSON text: memory stays flat however many points there are, and others have
 * their turn in between.
 */
export const streamList = (reads: EventReads, workspace: string, points: Points, now: number): Readable =>
  Readable.from(listText(reads, workspace, points, now), { objectMode: false, highWaterMark: 65_536 });

/** Streams, or pages of points, that one turn is for. */
const STREAMS_A_TURN = 20;

async function* listText(
  reads: EventReads,
  workspace: string,
  { points, maxPoints }: Points,
  now: number,
): AsyncGenerator<string> {
  await fairTurn(workspace);
  const scheduled = await reads.scheduled(workspace, now);
  let separator = '{"data":{"streams":[';
  let listed = 0;
  for await (const page of reads.streams(workspace))
    for (const stream of page.filter(({ count }) => count > 0)) {
      const queries = await reads.ofStream(workspace, stream.key);
      const latest = await queries?.latest(workspace, stream.key);
      if (!queries || !latest) continue;
      const summary = JSON.stringify(summaryView(stream, latest, scheduled.get(stream.key)));
      yield `${separator}${summary.slice(0, -1)},"points":[`;
      separator = ',';
      if (points === 'all') yield* pointsText(queries, workspace, stream, maxPoints, now);
      yield ']}';
      if (++listed % STREAMS_A_TURN === 0) await fairTurn(workspace);
    }
  yield separator === ',' ? ']}}' : `${separator}]}}`;
}

/** One piece of text for each page of points. */
async function* pointsText(
  queries: EventQueries,
  reader: string,
  { workspace, key, count }: StreamDoc,
  maxPoints: number | null,
  now: number,
) {
  const keep = highestOfEach(maxPoints === null ? 1 : Math.ceil(count / maxPoints));
  let separator = '';
  for await (const page of queries.points(workspace, key)) {
    const kept = page.flatMap(keep.next);
    if (kept.length === 0) continue;
    yield separator + kept.map(event => JSON.stringify(pointView(event, now))).join(',');
    separator = ',';
    await fairTurn(reader);
  }
  const last = keep.rest();
  if (last) yield separator + JSON.stringify(pointView(last, now));
}

/** Lets through, of every `size` events one after the other, the one of highest rank; of equals the first. */
function highestOfEach(size: number) {
  let best: EventDoc | null = null;
  let seen = 0;
  const rank = (event: EventDoc) => event.scores?.rank ?? -1;
  return {
    next(event: EventDoc): EventDoc[] {
      if (size === 1) return [event];
      if (!best || rank(event) > rank(best)) best = event;
      if (++seen < size) return [];
      const kept = [best];
      best = null;
      seen = 0;
      return kept;
    },
    rest: (): EventDoc | null => best,
  };
}
