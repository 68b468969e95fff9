import type { Context } from '../../commands/engine/handle.js';
import type { Delivered, Delivery } from '../../commands/ingestion/deliveries.js';
import { MOST_ERRORS, type DeliveryKind } from '../../domain/ingestion/deliveries.js';
import type { Source } from '../../domain/ingestion/sources/state.js';
import { Rejected } from '../../domain/rejected.js';
import { refusalOf, statusOf } from '../edge/errors.js';
import { parseItems } from '../edge/json.js';
import type { IngestionDeps } from './deps.js';

/** When the sender of a paused source may look again. */
const PAUSED_RETRY_S = 60;

/** Takes a signed delivery in, and notes what became of it. Answers when read models show what it brought. */
export async function taken(deps: IngestionDeps, delivery: Delivery, source: Source, context: Context) {
  const { deliveries, allowance, shown } = deps;
  const { workspace, raw, kind } = delivery;
  try {
    if (await deps.isArchived(workspace)) throw archived();
    if (source.status === 'paused' && delivery.replayOf === null) throw paused();
    const json = jsonIn(raw);
    const refusal = await allowance.refusal(workspace);
    if (refusal) throw refusal;
    const delivered = await deliveries.deliver(delivery, source, json, context);
    const { accepted, positions } = delivered;
    allowance.wrote(workspace, accepted);
    await Promise.all([shown.events(positions.events), shown.signals(positions.signals)]);
    return deliveredView(kind, delivered);
  } catch (error) {
    const refusal = refusalOf(error);
    deliveries.failed(delivery, refusal ? statusOf[refusal.kind] : 500, refusal, context);
    throw error;
  }
}

const deliveredView = (kind: DeliveryKind, delivered: Delivered) => ({
  status: 'ok',
  kind,
  accepted: delivered.accepted,
  duplicates: delivered.duplicates,
  rejected: delivered.rejected,
  ignored: delivered.ignored,
  errors: delivered.errors.slice(0, MOST_ERRORS),
  delivery_id: delivered.deliveryId,
});

const archived = (): Rejected =>
  new Rejected('forbidden', 'workspace_archived', 'The workspace of this source is archived');

const paused = (): Rejected =>
  new Rejected('conflict', 'source_paused', 'The source is paused; send it again later', {
    retry_after_s: PAUSED_RETRY_S,
  });

/** @throws Rejected 400; 422 for what is nested too deep */
function jsonIn(raw: Buffer): unknown {
  try {
    if (raw.length > 0) return parseItems(raw);
  } catch (error) {
    if (!(error instanceof Rejected) || error.code !== 'invalid_json') throw error;
    throw new Rejected('invalid', 'invalid_json', 'Invalid JSON body', error.details);
  }
  throw new Rejected('invalid', 'invalid_json', 'Invalid JSON body');
}
