import { HOUR } from '../../domain/time.js';
import { asOfData, asOfHeaders, asOfIn } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { cursorOf } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { msIn } from '../edge/times.js';
import { readAccess, tag, writeAccess, type EventDeps } from './deps.js';
import { placeIn, streamsIn } from './requests.js';
import * as schemas from './stream-schemas.js';
import { streamReads } from './stream-reads.js';
import { streamLists } from './stream-list.js';
import { streamListsThen } from './stream-list-then.js';
import { listedView, upcomingView } from './views.js';

/** Streams of events, and what is to come in them. */
export function streamRows(deps: EventDeps): Row[] {
  const { commands, tried, queries: own, reads, then, edges, clock, visible } = deps;
  const listed = streamLists(reads, edges);
  const listedThen = streamListsThen(then);
  const { upcoming, page } = streamReads(deps);
  return [
    row({
      method: 'get',
      path: '/v1/event/streams',
      operation: 'listEventStreams',
      summary: 'List the event streams',
      tag,
      access: readAccess,
      query: schemas.streamsQuery,
      errors: { 422: ['too_many_events'] },
      answers: { 200: { description: 'All streams, by key', schema: schemas.streamsAnswer } },
      async run({ workspace, query }) {
        const now = clock();
        const asOf = asOfIn(query.as_of, now);
        const points = { points: query.points, maxPoints: query.max_points ?? null };
        const body =
          asOf === null ? listed(workspace, points, now) : await listedThen(workspace, points, asOf);
        return { body, headers: asOfHeaders(asOf) };
      },
    }),
    row({
      method: 'get',
      path: '/v1/event/upcoming',
      operation: 'listUpcomingEvents',
      summary: 'Scheduled events, soonest first',
      tag,
      access: readAccess,
      query: schemas.upcomingQuery,
      errors: { 404: ['not_found'], 422: ['too_many_events'] },
      answers: { 200: { description: 'What is to come', schema: schemas.upcomingAnswer } },
      async run({ workspace, query }) {
        const now = clock();
        const asOf = asOfIn(query.as_of, now);
        const at = asOf ?? now;
        const until = at + query.within_hours * HOUR;
        const driving = (...of: [string, string]) =>
          asOf === null ? deps.driving(...of) : then.driving(...of, asOf);
        const keys = await streamsIn({ driving }, workspace, query);
        const found = await upcoming(workspace, { asOf, from: at, until, keys, limit: query.limit });
        const events = found.events.map(event => upcomingView(event, at));
        const gone = found.deletedSince && { deleted_since: found.deletedSince };
        const data = { events, total: found.total, ...gone, ...asOfData(asOf) };
        return { body: { data }, headers: asOfHeaders(asOf) };
      },
    }),
    row({
      method: 'get',
      path: '/v1/event/streams/{stream}/events',
      operation: 'listStreamEvents',
      tag,
      access: readAccess,
      summary: 'Events of a stream, newest occurrence first',
      params: schemas.streamParams,
      query: schemas.streamEventsQuery,
      errors: { 422: ['stream_deleted_since', 'too_many_events'] },
      answers: {
        200: {
          description: 'A page that never splits a group of equal times',
          schema: schemas.streamEventsAnswer,
        },
      },
      async run({ workspace, params: { stream }, query }) {
        const before = query.before === undefined ? null : msIn(query.before, ['query', 'before']);
        const place = query.cursor === undefined ? null : placeIn(query.cursor);
        const now = clock();
        const asOf = asOfIn(query.as_of, now);
        const { events, hasMore, nextBefore, next } = await page(workspace, stream, asOf, [
          query.limit,
          before,
          place,
        ]);
        return {
          body: {
            data: {
              stream,
              events: events.map(event => listedView(event, asOf ?? now)),
              has_more: hasMore,
              next_before: nextBefore,
              next_cursor: next && cursorOf([next.occurredAt, next.id]),
              ...asOfData(asOf),
            },
          },
          headers: asOfHeaders(asOf),
        };
      },
    }),
    row({
      method: 'delete',
      path: '/v1/event/streams/{stream}',
      operation: 'deleteEventStream',
      summary: 'Delete every event of a stream',
      tag,
      access: writeAccess,
      params: schemas.streamParams,
      query: dryQuery,
      errors: { 403: ['stream_read_only'] },
      answers: {
        200: { description: 'How many events went, or would', schema: schemas.deleteStreamAnswer },
      },
      async run(call) {
        const {
          workspace,
          query,
          params: { stream },
        } = call;
        const by = query.dry_run ? tried : commands;
        const { position } = await by.deleteStream(workspace, stream, contextOf(call, clock()));
        if (query.dry_run)
          return wouldBe({ stream, deleted: (await own.stream(workspace, stream))?.count ?? 0 });
        await visible(position);
        const deleted = (await own.stream(workspace, stream))?.deleted;
        return { body: { data: { stream, deleted: deleted?.at === position ? deleted!.count : 0 } } };
      },
    }),
  ];
}
