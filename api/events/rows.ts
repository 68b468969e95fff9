import type { EventCommands } from '../../commands/events.js';
import { Rejected } from '../../domain/rejected.js';
import { HOUR } from '../../domain/time.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import { contextOf } from '../edge/context.js';
import { cursorOf, perPage } from '../edge/paging.js';
import { JsonText, row, type Row } from '../edge/row.js';
import { recordBatch } from './batch.js';
import { own } from './own.js';
import * as schemas from './schemas.js';
import { streamList } from './stream-list.js';
import { changesOf, placeIn, submissionOf } from './requests.js';
import { timeIn } from '../edge/times.js';
import {
  etagOf,
  eventView,
  listedView,
  recordedView,
  revisionIn,
  revisionView,
  upcomingView,
} from './views.js';

export type EventDeps = {
  readonly commands: EventCommands;
  readonly queries: EventReads;
  readonly clock: () => number;
  /**
   * Waits, a bounded time, until the read models of events hold the fact at a position; null: nothing was
   * written.
   */
  readonly visible: (position: number | null) => Promise<void>;
};

const tag = 'Events';
const reads = { kind: 'workspace', scope: 'data.read' } as const;
const writes = { kind: 'workspace', scope: 'data.write' } as const;
const notFound = () => new Rejected('missing', 'event_not_found', 'Event not found');

/** Recording and reading dated texts: spec 4.4. */
export const eventRows = ({ commands, queries, clock, visible }: EventDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/event/record',
    operation: 'recordEvent',
    summary: 'Record an event',
    tag,
    access: writes,
    policy: 'push',
    description:
      'The same stream, time and text again is the same event: its row is updated and scored again.',
    body: schemas.recordBody,
    answers: {
      200: { description: 'Recorded; it is scored in the background', schema: schemas.recordAnswer },
    },
    errors: {
      400: ['event_key_required', 'event_text_required', 'occurred_at_too_far'],
      403: ['stream_read_only'],
    },
    async run(call) {
      const recorded = await commands.record(
        call.workspace,
        submissionOf(call.body),
        contextOf(call, clock()),
      );
      await visible(recorded.position);
      return { body: { data: recordedView(recorded) } };
    },
  }),
  row({
    method: 'post',
    path: '/v1/event/record-batch',
    operation: 'recordEvents',
    summary: 'Record up to 500 events',
    tag,
    access: writes,
    description: 'Each item is taken or refused by itself; when every item is refused the answer is 422.',
    policy: 'push',
    body: schemas.batchBody,
    weight: ({ events }) => events.length,
    answers: { 201: { description: 'What became of each item', schema: schemas.batchAnswer } },
    async run(call) {
      const { position, ...answer } = await recordBatch(
        commands,
        call.workspace,
        call.body.events,
        contextOf(call, clock()),
      );
      await visible(position);
      return { status: 201, body: { status: 'accepted', data: answer } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/event/streams',
    operation: 'listEventStreams',
    summary: 'List the event streams',
    tag,
    access: reads,
    query: schemas.streamsQuery,
    answers: { 200: { description: 'All streams, by key', schema: schemas.streamsAnswer } },
    run: async ({ workspace, query }) => ({
      body: streamList(
        queries,
        workspace,
        { points: query.points, maxPoints: query.max_points ?? null },
        clock(),
      ),
    }),
  }),
  row({
    method: 'get',
    path: '/v1/event/upcoming',
    operation: 'listUpcomingEvents',
    summary: 'Scheduled events, soonest first',
    tag,
    access: reads,
    query: schemas.upcomingQuery,
    answers: { 200: { description: 'What is to come', schema: schemas.upcomingAnswer } },
    async run({ workspace, query }) {
      const now = clock();
      const keys =
        query.streams
          ?.split(',')
          .map(key => key.trim())
          .filter(key => key !== '') ?? null;
      const until = now + query.within_hours * HOUR;
      const { events, total } = await queries.upcoming(workspace, now, until, keys, query.limit);
      return { body: { data: { events: events.map(event => upcomingView(event, now)), total } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/event/streams/{stream}/events',
    operation: 'listStreamEvents',
    tag,
    access: reads,
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
      const before = query.before === undefined ? null : timeIn(query.before, ['query', 'before']);
      const place = query.cursor === undefined ? null : placeIn(query.cursor);
      const { events, hasMore, nextBefore, next } = await queries.streamPage(
        workspace,
        stream,
        query.limit,
        before,
        place,
      );
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
    access: writes,
    params: schemas.streamParams,
    errors: { 403: ['stream_read_only'] },
    answers: { 200: { description: 'How many events went', schema: schemas.deleteStreamAnswer } },
    async run(call) {
      const {
        workspace,
        params: { stream },
      } = call;
      const { position } = await commands.deleteStream(workspace, stream, contextOf(call, clock()));
      await visible(position);
      const deleted = (await queries.stream(workspace, stream))?.deleted;
      return { body: { data: { stream, deleted: deleted?.at === position ? deleted!.count : 0 } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/event/{event_id}',
    operation: 'getEvent',
    summary: 'One event',
    tag,
    access: reads,
    params: schemas.eventParams,
    versioned: true,
    errors: { 404: ['event_not_found'] },
    answers: { 200: { description: 'The event', schema: schemas.eventAnswer } },
    async run({ workspace, params }) {
      const event = await queries.event(workspace, params.event_id);
      const now = clock();
      if (!event) throw notFound();
      const text = JSON.stringify({ data: eventView(event, await queries.normalisedValue(event), now) });
      return { etag: etagOf(event, text), body: new JsonText(text) };
    },
  }),
  row({
    method: 'patch',
    path: '/v1/event/{event_id}',
    operation: 'reviseEvent',
    summary: 'Change name, time or value of an event',
    tag,
    access: writes,
    versioned: true,
    params: schemas.eventParams,
    body: schemas.patchBody,
    errors: {
      400: ['occurred_at_too_far'],
      403: ['stream_read_only'],
      404: ['event_not_found'],
      409: ['version_conflict'],
    },
    answers: { 200: { description: 'The event as it is now', schema: schemas.patchAnswer } },
    async run(call) {
      const {
        workspace,
        params: { event_id },
      } = call;
      const context = contextOf(call, clock());
      const revise = commands.revise(
        workspace,
        event_id,
        changesOf(call.body),
        revisionIn(call.ifMatch),
        context,
      );
      const revised = await own(queries, workspace, event_id, revise);
      await visible(revised.position);
      const { key: stream, revision, status, occurredAt: occurred_at } = revised.event;
      return {
        etag: String(revision),
        body: {
          data: { event_id, stream, revision, status, scheduled: occurred_at > context.at, occurred_at },
        },
      };
    },
  }),
  row({
    method: 'delete',
    path: '/v1/event/{event_id}',
    operation: 'withdrawEvent',
    summary: 'Delete one event',
    tag,
    access: writes,
    versioned: true,
    params: schemas.eventParams,
    errors: { 403: ['stream_read_only'], 404: ['event_not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'It is gone', schema: schemas.withdrawAnswer } },
    async run(call) {
      const {
        workspace,
        params: { event_id },
      } = call;
      const withdraw = commands.withdraw(
        workspace,
        event_id,
        revisionIn(call.ifMatch),
        contextOf(call, clock()),
      );
      const { position } = await own(queries, workspace, event_id, withdraw);
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/event/{event_id}/revisions',
    operation: 'listEventRevisions',
    summary: 'How an event has changed',
    tag,
    access: reads,
    params: schemas.eventParams,
    query: schemas.revisionsQuery,
    errors: { 404: ['event_not_found'] },
    answers: { 200: { description: 'Oldest first, the current one last', schema: schemas.revisionsAnswer } },
    async run({ workspace, params: { event_id }, query }) {
      const found = await queries.revisions(
        workspace,
        event_id,
        (query.page - 1) * query.per_page,
        query.per_page,
      );
      if (!found) throw notFound();
      return {
        body: {
          data: { event_id, revisions: found.revisions.map(revisionView), ...perPage(query, found.total) },
        },
      };
    },
  }),
];
