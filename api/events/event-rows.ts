import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { JsonText, row, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import { readAccess, tag, writeAccess, type EventDeps } from './deps.js';
import { own } from './own.js';
import { changesOf } from './requests.js';
import * as schemas from './event-schemas.js';
import { effectView, eventView, revisionView } from './views.js';

const notFound = () => new Rejected('missing', 'event_not_found', 'Event not found');

/** One event: as it is, as it was, and changing it. */
export const oneEventRows = ({ commands, tried, reads, effects, clock, visible }: EventDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/event/{event_id}',
    operation: 'getEvent',
    summary: 'One event',
    tag,
    access: readAccess,
    params: schemas.eventParams,
    versioned: true,
    errors: { 404: ['event_not_found'] },
    answers: { 200: { description: 'The event', schema: schemas.eventAnswer } },
    async run({ workspace, params }) {
      const found = await reads.ofEvent(workspace, params.event_id);
      const now = clock();
      if (!found) throw notFound();
      const { event, queries } = found;
      const seen = eventView(event, await queries.normalisedValue(event), now);
      const done = (await effects(workspace, params.event_id)).map(effectView);
      const body = new JsonText(JSON.stringify({ data: { ...seen, effects: done } }));
      return { etag: versionedTag(event.revision, body), body };
    },
  }),
  row({
    method: 'patch',
    path: '/v1/event/{event_id}',
    operation: 'reviseEvent',
    summary: 'Change name, time or value of an event',
    tag,
    access: writeAccess,
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
        versionIn(call.ifMatch),
        context,
      );
      const revised = await own(reads, workspace, event_id, revise);
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
    access: writeAccess,
    versioned: true,
    params: schemas.eventParams,
    query: dryQuery,
    errors: { 403: ['stream_read_only'], 404: ['event_not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'It is gone', schema: schemas.withdrawAnswer } },
    async run(call) {
      const {
        workspace,
        query,
        params: { event_id },
      } = call;
      const by = query.dry_run ? tried : commands;
      const withdraw = by.withdraw(workspace, event_id, versionIn(call.ifMatch), contextOf(call, clock()));
      const { position } = await own(reads, workspace, event_id, withdraw);
      if (query.dry_run) return wouldBe({ event_id });
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
    access: readAccess,
    params: schemas.eventParams,
    query: schemas.revisionsQuery,
    errors: { 404: ['event_not_found'] },
    answers: { 200: { description: 'Oldest first, the current one last', schema: schemas.revisionsAnswer } },
    async run({ workspace, params: { event_id }, query }) {
      const offset = (query.page - 1) * query.per_page;
      const seen = await reads.ofEvent(workspace, event_id);
      const found = await seen?.queries.revisions(workspace, event_id, offset, query.per_page);
      if (!found) throw notFound();
      return {
        body: {
          data: { event_id, revisions: found.revisions.map(revisionView), ...perPage(query, found.total) },
        },
      };
    },
  }),
];
