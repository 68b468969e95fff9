import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { webhook } from './connectors.js';
import { tag, writes, type IngestionDeps } from './deps.js';
import { newWebhook } from './making.js';
import * as schemas from './source-schemas.js';
import { urlsOf } from './source-views.js';

/** The short way to a source of events: spec 4.7. */
export const createEventRow = ({ sources, visible, publicUrl, clock }: IngestionDeps): Row =>
  row({
    method: 'post',
    path: '/v1/ingestion/connect/create-event',
    operation: 'createEventSource',
    summary: 'Make a source of events',
    description:
      'A webhook source: deliver to its URLs, signed with its secret, which is shown this once. A repeat '
      + 'under the same `Idempotency-Key` answers without it.',
    tag,
    access: writes,
    leastRole: 'operator',
    body: schemas.createEventBody,
    kept: withoutSecret,
    answers: { 200: { description: 'It is there', schema: schemas.createEventAnswer } },
    async run(call) {
      const { name, event_config = {} } = call.body;
      const wanted = newWebhook(webhook, name ?? undefined, {}, event_config, 'event');
      const made = await sources.create(call.workspace, wanted, contextOf(call, clock()));
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

/** What is kept for a repeat: all but the secret. */
export const withoutSecret = (body: unknown): unknown => {
  const { data } = body as { data: object };
  return { data: { ...data, webhook_secret: null } };
};
