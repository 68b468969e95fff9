import { HOUR } from '../../domain/time.js';
import type { StreamPage } from '../../projections/events/stream-queries.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { cursorOf } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { msIn } from '../edge/times.js';
import { readAccess, tag, writeAccess, type EventDeps } from './deps.js';
import { placeIn, streamsIn } from './requests.js';
import * as schemas from './stream-schemas.js';
import { streamLists } from './stream-list.js';
import { listedView, upcomingView } from './views.js';

const NOTHING: StreamPage = { events: [], hasMore: false, nextBefore: null, next: null };

/** Streams of events, and what is to come in them. */
export function streamRows(deps: EventDeps): Row[] {
  const { commands, tried, queries: own, reads, edges, clock, visible } = deps;
  const listed = streamLists(reads, edges);
  return [
    row({
      method: 'get',
      path: '/v1/event/streams',
      operation: 'listEventStreams',
      summary: 'List the event streams',
      tag,
      access: readAccess,
      query: schemas.streamsQuery,
      answers: { 200: { description: 'All streams, by key', schema: schemas.streamsAnswer } },
      run: async ({ workspace, query }) => ({
        body: listed(workspace, { points: query.points, maxPoints: query.max_points ?? null }, clock()),
      }),
    }),
    row({
      method: 'get',
      path: '/v1/event/upcoming',
      operation: 'listUpcomingEvents',
      summary: 'Scheduled events, soonest first',
      tag,
      access: readAccess,
      query: schemas.upcomingQuery,
      errors: { 404: ['not_found'] },
      answers: { 200: { description: 'What is to come', schema: schemas.upcomingAnswer } },
      async run({ workspace, query }) {
        const now = clock();
        const keys = await streamsIn(deps, workspace, query);
        const until = now + query.within_hours * HOUR;
        const { events, total } = await reads.upcoming(workspace, now, until, keys, query.limit);
        return { body: { data: { events: events.map(event => upcomingView(event, now)), total } } };
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
      answers: {
        200: {
          description: 'A page that never splits a group of equal times',
          schema: schemas.streamEventsAnswer,
        },
      },
      async run({ workspace, params: { stream }, query }) {
        const before = query.before === undefined ? null : msIn(query.before, ['query', 'before']);
        const place = query.cursor === undefined ? null : placeIn(query.cursor);
        const queries = await reads.ofStream(workspace, stream);
        const page = await queries?.streamPage(workspace, stream, query.limit, before, place);
        const { events, hasMore, nextBefore, next } = page ?? NOTHING;
        return {
          body: {
            data: {
              stream,
              events: events.map(event => listedView(event, clock())),
              has_more: hasMore,
              next_before: nextBefore,
              next_cursor: next && cursorOf([next.occurredAt, next.id]),
            },
          },
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
