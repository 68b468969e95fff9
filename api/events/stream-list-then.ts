import { Readable } from 'node:stream';
import { paced } from '../../fair-turns.js';
import type { ListedEvent } from '../../projections/events/candidates.js';
import { summaryView } from '../catalogue/stream-summary.js';
import { asOfView } from '../edge/as-of.js';
import type { EventsThen, StreamPast } from './deps.js';
import { A_TURN, AS_POINTS, fewerPoints, type Pace, type Points, textOf } from './stream-list.js';

/** How many streams are asked of at once what they did to goals. */
const AT_ONCE = 100;

/**
 * The stream list as it was at a moment, epoch ms, as a stream of JSON text: counted from the events
 * of then, which are read twice where points are wanted.
 */
export function streamListsThen(then: EventsThen) {
  /** Streams that had events, with what is told of each, and of others that they were deleted since. */
  async function summaries(workspace: string, asOf: number, pace: Pace) {
    const { streams, deletedSince } = await then.streams(workspace, asOf);
    const found: { stream: StreamPast; count: number; summary: string }[] = [];
    for (const some of inParts(streams)) {
      const keys = some.map(({ key }) => key);
      const driving = await then.edges(workspace, keys, asOf);
      for (const stream of some) {
        const counted = await countedOf(stream, asOf, pace);
        const { key } = stream;
        const { latest, count, scheduled } = counted;
        if (!latest) continue;
        const seen = { ...latest, text: await stream.textOf(latest.event_id) };
        const view = summaryView({ key, ...counted }, seen, scheduled, driving.get(key));
        found.push({ stream, count, summary: JSON.stringify(view) });
        await pace(AS_POINTS);
      }
    }
    return { found, deletedSince };
  }

  return async (workspace: string, { points, maxPoints }: Points, asOf: number): Promise<Readable> => {
    const pace = paced(workspace, A_TURN);
    const { found, deletedSince } = await summaries(workspace, asOf, pace);
    async function* listText() {
      let separator = `{"data":{"as_of":${JSON.stringify(asOfView(asOf))},"streams":[`;
      for (const { stream, count, summary } of found) {
        yield `${separator}${summary.slice(0, -1)},"points":[`;
        separator = ',';
        if (points === 'all' && maxPoints === null) yield* allPoints(stream, asOf, pace);
        else if (points === 'all')
          yield* fewerPoints({ pages: stream.points(), count }, maxPoints!, asOf, pace);
        yield ']}';
      }
      yield `${separator === ',' ? '' : separator}],"deleted_since":${JSON.stringify(deletedSince)}}}`;
    }
    return Readable.from(listText(), { objectMode: false, highWaterMark: 65_536 });
  };
}

/** What a summary tells, from all events; see `StreamDoc`. */
async function countedOf(stream: StreamPast, asOf: number, pace: Pace) {
  const ranks: Record<string, number> = {};
  let count = 0;
  let recent: ListedEvent | null = null;
  let next: ListedEvent | null = null;
  let toCome = 0;
  for await (const page of stream.points()) {
    for (const event of page) {
      count++;
      if (event.scores) ranks[event.scores.rank] = (ranks[event.scores.rank] ?? 0) + 1;
      if (event.occurred_at <= asOf) recent = event;
      else {
        next ??= event;
        toCome++;
      }
    }
    await pace(page.length);
  }
  const scheduled = next && { count: toCome, next: next.occurred_at };
  return { count, ranks, latest: recent ?? next, scheduled };
}

async function* allPoints(stream: StreamPast, asOf: number, pace: Pace) {
  let separator = '';
  for await (const page of stream.points()) {
    yield separator + textOf(page, asOf);
    separator = ',';
    await pace(page.length);
  }
}

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, i) =>
    all.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
