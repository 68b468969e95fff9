import { Readable } from 'node:stream';
import { paced } from '../../fair-turns.js';
import type { ListedEvent } from '../../projections/events/version-queries.js';
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
  async function* listText(workspace: string, { points, maxPoints }: Points, asOf: number) {
    let separator = `{"data":{"as_of":${JSON.stringify(asOfView(asOf))},"streams":[`;
    const pace = paced(workspace, A_TURN);
    for await (const streams of inParts(then.streams(workspace, asOf))) {
      const driving = await then.edges(
        workspace,
        streams.map(({ key }) => key),
        asOf,
      );
      for (const stream of streams) {
        const counted = await countedOf(stream, asOf, pace);
        const { key } = stream;
        const { latest, count, scheduled } = counted;
        if (!latest) continue;
        const seen = { ...latest, text: await stream.textOf(latest.event_id) };
        const summary = JSON.stringify(summaryView({ key, ...counted }, seen, scheduled, driving.get(key)));
        yield `${separator}${summary.slice(0, -1)},"points":[`;
        separator = ',';
        if (points === 'all' && maxPoints === null) yield* allPoints(stream, asOf, pace);
        else if (points === 'all')
          yield* fewerPoints({ pages: stream.points(), count }, maxPoints!, asOf, pace);
        yield ']}';
        await pace(AS_POINTS);
      }
    }
    yield separator === ',' ? ']}}' : `${separator}]}}`;
  }
  return (workspace: string, points: Points, asOf: number): Readable =>
    Readable.from(listText(workspace, points, asOf), { objectMode: false, highWaterMark: 65_536 });
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

async function* inParts(streams: AsyncIterable<StreamPast>): AsyncGenerator<StreamPast[]> {
  let part: StreamPast[] = [];
  for await (const stream of streams) {
    part.push(stream);
    if (part.length < AT_ONCE) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
