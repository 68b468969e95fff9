import type { Json } from '../json.js';
import type { Client } from './client.js';
import { ODD, ok, type MarketWorld } from './market-world.js';

export type Listed = { event_id: string; key: string };
export type Page = {
  events: Listed[];
  next_cursor: string | null;
  next_before: number | null;
  has_more: boolean;
};
export const eventsOf = async (client: Client, stream: string, query = '') =>
  ok(await client.get(`/v1/event/streams/${encodeURIComponent(stream)}/events${query}`)).body.data as Page;
export const streamsOf = async (client: Client, query = '') =>
  ok(await client.get(`/v1/event/streams${query}`)).body.data['streams'] as { key: string; count: number }[];
export const upcomingOf = async (client: Client, query = '') =>
  ok(await client.get(`/v1/event/upcoming${query}`)).body.data as { events: Listed[]; total: number };

type SignalRow = {
  key: string;
  type: string;
  group: string;
  origin: string;
  base: string | null;
  entity: string | null;
};
export const query = (given: Record<string, string | number>) =>
  `?${Object.entries(given)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
export const rowsOf = async (client: Client, given: Record<string, string | number> = {}) =>
  ok(await client.get(`/v1/signal${query({ limit: 100, sort_by: 'key', sort_order: 'asc', ...given })}`)).body
    .data as { signals: SignalRow[]; total: number };
export const bare = async (client: Client, path: string): Promise<Json> =>
  ok(await client.get<unknown>(path)).body;

/** Signals of the publisher that are shared in the tests of subscribed signals. */
export const LISTED = ['shop.orders', `shop.${ODD}`];

/** Furnishes the publisher with labels, and with points that were replaced; gives the listing. */
export async function listedSignals(world: MarketWorld): Promise<string> {
  ok(
    await world.shop.post('/v1/signal/push', {
      points: [{ key: 'shop.flow', entity: 'north', value: 4, timestamp: '2026-01-02T00:00:00Z' }],
    }),
  );
  ok(
    await world.shop.post('/v1/signal/groups/assign', {
      keys: [...LISTED, 'shop.public'],
      group: 'Board only',
    }),
  );
  ok(await world.shop.post('/v1/signal/units/assign', { keys: ['shop.orders'], unit: 'parcels' }));
  ok(await world.shop.post('/v1/signal/display-name', { key: 'shop.orders', name: 'Orders an hour' }));
  ok(
    await world.shop.post('/v1/signal/push', {
      key: 'shop.orders',
      values: [
        ['2026-01-01T00:00:00Z', 99],
        ['2026-01-01T01:00:00Z', 98],
      ],
    }),
  );
  const listing = await world.list('Shop', [...LISTED, 'shop.flow__north'], ['shop.public']);
  await world.subscribe(listing);
  return listing;
}
