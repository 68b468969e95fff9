import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import { tag, writeAccess, type EventDeps } from './deps.js';
import * as schemas from './event-schemas.js';
import { own } from './own.js';
import { changesOf } from './requests.js';

/** Changing one event. */
export const oneEventRows = ({ commands, tried, reads, clock, visible }: EventDeps): Row[] => [
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
];
