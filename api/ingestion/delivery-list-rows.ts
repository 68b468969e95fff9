import type { Taken } from '../../domain/ingestion/deliveries.js';
import { DELIVERIES_SHOWN_FOR } from '../../domain/ingestion/forgetting.js';
import { iso } from '../../domain/time.js';
import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as schemas from './delivery-schemas.js';
import { allNoted, foundSource, one, reads, tag, writes, type IngestionDeps } from './deps.js';
import { pagedQuery, sourceParams } from './source-schemas.js';
import { taken } from './taking.js';

type Deliveries = Pick<IngestionDeps['queries'], 'delivery'>;

const path = `${one}/deliveries`;

/** What came to a source, and doing it again. */
export const deliveryListRows = (deps: IngestionDeps): Row[] => [listRow(deps), replayRow(deps)];

const listRow = (deps: IngestionDeps): Row =>
  row({
    method: 'get',
    path,
    operation: 'listDeliveries',
    summary: 'What came to a source in the last 7 days',
    description: 'Of deliveries whose signature was wrong at most 20 an hour are noted.',
    tag,
    access: reads,
    params: sourceParams,
    query: pagedQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'Newest first', schema: schemas.deliveriesAnswer } },
    async run({ workspace, params: { source_id: sourceId }, query }) {
      const { queries, clock } = deps;
      await foundSource(deps, workspace, sourceId);
      await allNoted(deps);
      const { page, per_page: limit } = query;
      const paging = { limit, offset: (page - 1) * limit };
      const { items, total } = await queries.deliveries(sourceId, clock() - DELIVERIES_SHOWN_FOR, paging);
      return { body: { data: { deliveries: items.map(view), ...perPage(query, total) } } };
    },
  });

const view = (delivery: Taken) => ({
  delivery_id: delivery.deliveryId,
  received_at: iso(delivery.at),
  status_code: delivery.status,
  kind: delivery.kind,
  accepted: delivery.accepted,
  duplicates: delivery.duplicates,
  rejected: delivery.rejected,
  bytes: delivery.bytes,
  signature_header: delivery.signatureHeader,
  errors: delivery.errors,
  replay_of: delivery.replayOf,
});

const replayRow = (deps: IngestionDeps): Row =>
  row({
    method: 'post',
    path: `${path}/{delivery_id}/replay`,
    operation: 'replayDelivery',
    summary: 'Take a body that came in again',
    description:
      'As the source is set up today. What was taken before is not taken twice, as for any other delivery; '
      + 'what has no time is of the moment when the body first came.',
    tag,
    access: writes,
    leastRole: 'operator',
    params: schemas.deliveryParams,
    errors: {
      400: ['invalid_json', 'not_a_webhook'],
      404: ['not_found'],
      409: ['body_not_kept'],
      429: ['quota_exceeded'],
    },
    answers: { 200: { description: 'What became of it', schema: schemas.deliveredAnswer } },
    async run(call) {
      const { queries, bodies, sources, clock } = deps;
      const { workspace, params } = call;
      const { source_id: sourceId, delivery_id: deliveryId } = params;
      await foundSource(deps, workspace, sourceId);
      await allNoted(deps);
      const before = await queries.delivery(sourceId, deliveryId);
      const at = clock();
      if (!before || before.at < at - DELIVERIES_SHOWN_FOR)
        throw new Rejected('missing', 'not_found', 'Delivery not found');
      const raw = before.body && (await bodies.kept(workspace, before.body));
      if (!raw) throw notKept();
      const source = await sources.found(workspace, sourceId);
      const delivery = { workspace, sourceId, kind: before.kind, raw };
      const arrivedAt = await firstCame(queries, sourceId, before);
      const again = { ...delivery, signatureHeader: null, replayOf: deliveryId, arrivedAt };
      return { body: { data: await taken(deps, again, source, contextOf(call, at)) } };
    },
  });

/** When the body of a delivery first came: a replay that was noted without that leads to whose body it is. */
async function firstCame(
  queries: Deliveries,
  sourceId: string,
  { arrivedAt, at, replayOf }: Taken,
): Promise<number> {
  if (arrivedAt !== undefined || replayOf === null) return arrivedAt ?? at;
  const whose = await queries.delivery(sourceId, replayOf);
  return whose ? firstCame(queries, sourceId, whose) : at;
}

const notKept = (): Rejected =>
  new Rejected(
    'conflict',
    'body_not_kept',
    'The body of this delivery was not kept: it was too large, or refused',
  );
