import type { Context } from '../../commands/engine/handle.js';
import type { Delivery } from '../../commands/ingestion/deliveries.js';
import { deliveryKinds, type DeliveryKind } from '../../domain/ingestion/deliveries.js';
import { sourceNotFound } from '../../domain/ingestion/sources/decider.js';
import { Rejected } from '../../domain/rejected.js';
import { object } from '../../json-schema.js';
import { row, type Call, type Row } from '../edge/row.js';
import * as schemas from './delivery-schemas.js';
import { tag, type IngestionDeps } from './deps.js';
import { deliveryHeaders, signatureHeaderIn, verified } from './signatures.js';
import { sourceParams, text } from './source-schemas.js';
import { taken } from './taking.js';

const path = '/v1/ingestion/webhooks/{source_id}';
const BODY_LIMIT = 5_000_000;

const common = {
  method: 'post',
  tag,
  access: { kind: 'signed' },
  policy: 'webhook',
  rawBody: schemas.deliveryBody,
  headers: deliveryHeaders,
  bodyLimit: BODY_LIMIT,
  errors: {
    400: ['invalid_json', 'not_a_webhook'],
    401: ['invalid_signature', 'unsigned_rejected'],
    403: ['workspace_archived'],
    404: ['source_not_found'],
    409: ['source_paused', 'wrong_cell'],
    429: ['quota_exceeded', 'rate_limited'],
  },
} as const;
const signing =
  'Signed by HMAC-SHA256 of the bytes of the body under the secret of the source, in hex, in `X-Signature`, '
  + '`X-Hub-Signature-256` or `X-Webhook-Signature`, with or without `sha256=`. A 200 means that it was '
  + 'verified and processed; anything else may be sent again.';
const answers = { 200: { description: 'It is processed', schema: schemas.deliveredAnswer } } as const;

/** What other systems send. */
export const deliveryRows = (deps: IngestionDeps): Row[] => [
  row({
    ...common,
    path: `${path}/events`,
    operation: 'deliverEvents',
    summary: 'Deliver events to a webhook source',
    description: `Each item of the list is one event; at most 1,000 of them. ${signing}`,
    params: sourceParams,
    answers,
    run: call => deliver(deps, call, call.params.source_id, 'events'),
  }),
  row({
    ...common,
    path: `${path}/signal`,
    operation: 'deliverSignal',
    summary: 'Deliver rows of signals to a webhook source',
    description: `Each scalar member of an item is a point; at most 1,000 items. ${signing}`,
    params: sourceParams,
    answers,
    run: call => deliver(deps, call, call.params.source_id, 'signal'),
  }),
  row({
    ...common,
    path,
    operation: 'deliver',
    summary: 'Deliver events: the same as the events URL',
    description: signing,
    params: sourceParams,
    answers,
    run: call => deliver(deps, call, call.params.source_id, 'events'),
  }),
  row({
    ...common,
    path: `${path}/{kind}`,
    operation: 'deliverOther',
    summary: 'Any other kind: 404 that names those there are',
    params: object({ source_id: sourceParams.properties.source_id, kind: text }),
    errors: { ...common.errors, 404: ['source_not_found', 'unknown_webhook_kind'] },
    answers: {},
    run: call => deliver(deps, call, call.params.source_id, call.params.kind),
  }),
];

/** In the order of open-parts R10: nothing is told of the body before its signature was right. */
async function deliver(
  deps: IngestionDeps,
  { raw: sent, headers, requestId }: Call<unknown, unknown, unknown>,
  sourceId: string,
  kind: string,
) {
  const { queries, sources, deliveries, inOtherCell, clock } = deps;
  const found = await queries.anybodys(sourceId);
  if (!found) throw inOtherCell(sourceId) ?? sourceNotFound();
  if (found.mode !== 'push') throw new Rejected('invalid', 'not_a_webhook', 'Source is not a webhook');
  if (!isKind(kind)) throw unknownKind(kind);
  const { workspace, revision } = found;
  const at = clock();
  const source = await sources.at(workspace, sourceId, revision);
  const raw = sent ?? Buffer.alloc(0);
  const context: Context = {
    workspace,
    actor: `source:${sourceId}`,
    request: requestId,
    correlation: requestId,
    causation: null,
    at,
  };
  const delivery = { workspace, sourceId, kind, raw };
  const signatureHeader = checked(
    () => verified(source, raw, headers, at),
    refusal => {
      const tried = { ...delivery, signatureHeader: signatureHeaderIn(headers) };
      deliveries.refused(tried, refusal, context);
    },
  );
  const signed: Delivery = { workspace, sourceId, kind, raw, signatureHeader, replayOf: null };
  return { body: { data: await taken(deps, signed, source, context) } };
}

function checked<T>(check: () => T, refused: (refusal: Rejected) => void): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof Rejected) refused(error);
    throw error;
  }
}

const isKind = (kind: string): kind is DeliveryKind => (deliveryKinds as readonly string[]).includes(kind);

const unknownKind = (kind: string): Rejected =>
  new Rejected('missing', 'unknown_webhook_kind', `There is no kind '${kind}'; use /events or /signal`);
