import { deliveryNotFound } from '../../domain/notifications/channels/deliveries.js';
import type { DeliveryDoc } from '../../projections/channels/documents.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { found, one, reads, tag, writes, type ChannelDeps } from './deps.js';
import * as schemas from './schemas.js';
import { deliveryView } from './views.js';

/** What was sent over a channel, what waits, and what is parked. */
export const deliveryRows = (deps: ChannelDeps): Row[] => [listRow(deps), readRow(deps), replayRow(deps)];

const each = `${one}/deliveries/{delivery_id}`;

/** @throws Rejected 404 for a delivery that does not go over this channel of the caller */
async function deliveryOf(
  deps: ChannelDeps,
  uid: string,
  { channel_id, delivery_id }: { channel_id: string; delivery_id: string },
): Promise<DeliveryDoc> {
  await found(deps, uid, channel_id);
  const doc = await deps.queries.delivery(delivery_id);
  if (doc?.channel_id !== channel_id) throw deliveryNotFound();
  return doc;
}

const listRow = (deps: ChannelDeps): Row =>
  row({
    method: 'get',
    path: `${one}/deliveries`,
    operation: 'listNotificationDeliveries',
    summary: 'What was sent over a channel, and what is to be',
    description: 'Those that failed too often are `parked`, until they are replayed.',
    tag,
    access: reads,
    params: schemas.channelParams,
    query: schemas.deliveriesQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'Newest first', schema: schemas.deliveriesAnswer } },
    async run({ caller: { uid }, params: { channel_id: channelId }, query }) {
      await found(deps, uid, channelId);
      const { page, per_page: limit, status = null } = query;
      const paging = { limit, offset: (page - 1) * limit };
      const { items, total } = await deps.queries.deliveries(channelId, status, paging);
      return { body: { data: { deliveries: items.map(deliveryView), ...perPage(query, total) } } };
    },
  });

const readRow = (deps: ChannelDeps): Row =>
  row({
    method: 'get',
    path: each,
    operation: 'readNotificationDelivery',
    summary: 'One delivery',
    tag,
    access: reads,
    params: schemas.deliveryParams,
    versioned: 'by_content',
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The delivery', schema: schemas.deliveryAnswer } },
    async run({ caller: { uid }, params }) {
      return { body: { data: deliveryView(await deliveryOf(deps, uid, params)) } };
    },
  });

const replayRow = (deps: ChannelDeps): Row =>
  row({
    method: 'post',
    path: `${each}/replay`,
    operation: 'replayNotificationDelivery',
    summary: 'Send a parked delivery again',
    description: 'With all its attempts, under the same `webhook-id`.',
    tag,
    access: writes,
    params: schemas.deliveryParams,
    errors: { 404: ['not_found'], 409: ['invalid_state'] },
    answers: { 202: { description: 'It is sent soon', schema: schemas.replayedAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const { channel_id: channelId, delivery_id: deliveryId } = call.params;
      await deliveryOf(deps, uid, call.params);
      const context = { ...contextOf(call, deps.clock()), workspace: null };
      const command = { type: 'ReplayDelivery', data: { uid, channelId, deliveryId } } as const;
      const { position } = await deps.commands.deliver(command, context);
      await deps.visible(position);
      const poll_url = `/v1/notifications/channels/${channelId}/deliveries/${deliveryId}`;
      const data = { delivery_id: deliveryId, status: 'waiting', poll_url };
      return { status: 202, body: { status: 'queued', data } };
    },
  });
