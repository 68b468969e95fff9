import { contextOf } from '../edge/context.js';
import { MOST } from '../edge/most.js';
import { row, type Row } from '../edge/row.js';
import { webhook } from './connectors.js';
import { mindSources, tag, writes, type IngestionDeps } from './deps.js';
import { madeRestPoll } from './making-polls.js';
import { newWebhook } from './making.js';
import * as schemas from './source-schemas.js';
import { urlsOf } from './source-views.js';

/** The short way to a source of events: spec 4.7. */
export function createEventRow(deps: IngestionDeps): Row {
  const { sources, visible, publicUrl, clock } = deps;
  return row({
    method: 'post',
    path: '/v1/ingestion/connect/create-event',
    operation: 'createEventSource',
    summary: 'Make a source of events',
    description:
      '`push`, a webhook source: deliver to its URLs, signed with its secret, which is shown this once. A '
      + 'repeat under the same `Idempotency-Key` answers without it. `poll`: an address that is asked for '
      + 'JSON by a schedule; addresses of private networks are refused.',
    tag,
    access: writes,
    leastRole: 'operator',
    body: schemas.createEventBody,
    errors: { 403: MOST, 422: ['address_not_allowed'] },
    kept: withoutSecret,
    answers: { 200: { description: 'It is there', schema: schemas.createEventAnswer } },
    async run(call) {
      const { mode, name, event_config = {} } = call.body;
      const context = contextOf(call, clock());
      await mindSources(deps, call.workspace);
      if (mode === 'poll') return madeRestPoll(deps, call.body, context);
      const wanted = newWebhook(webhook, name ?? undefined, {}, event_config, 'event');
      const made = await sources.create(call.workspace, wanted, context);
      await visible(made.position);
      const { sourceId, secret, source } = made;
      const data = {
        ...{ status: 'created', source_id: sourceId, kind: 'event', mode: 'push' },
        ...{ stream: source.eventConfig.stream, job_ids: [] },
        ...urlsOf(publicUrl(), sourceId, true),
        webhook_secret: secret,
        message: 'Keep the secret: it is shown only now. Sign each body with it, by HMAC-SHA256.',
      };
      return { body: { data } };
    },
  });
}

/** What is kept for a repeat: all but the secret. */
export const withoutSecret = (body: unknown): unknown => {
  const { data } = body as { data: object };
  return { data: { ...data, webhook_secret: null } };
};
