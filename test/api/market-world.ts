import { marketplaceCommands } from '../../commands/marketplace.js';
import type { Installed } from '../../commands/installation.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { clientOf, type Answered, type Client } from './client.js';

export const HOUR = 3_600_000;
export const ODD = 'a:b/ü %2F';
const PAST = Date.UTC(2026, 0, 1);

export type MarketWorld = Awaited<ReturnType<typeof marketWorld>>;

/**
 * A publisher with data, half of them listed, and a workspace that subscribes to them; both with clients that
 * hold every answer to the description. The platform's clock stands until it is moved.
 */
export async function marketWorld() {
  const folder = temporaryFolder();
  const clock = { now: Date.UTC(2026, 5, 1) };
  const api = await startPlatform(folder.path, {
    env: { SCORER_THREADS: '1', RATE_HEAVY: '100000' },
    clock: () => clock.now,
    terms: ['harbour', 'cranes'],
  });
  const { platform } = api;
  const people = peopleOf(platform);
  const market = marketplaceCommands(platform.handle);
  const subscriber = await people.tenant('reader@example.org');
  const publisher = api.installed;
  const description = (await api.call('GET', '/openapi/v1.json')).json;
  const clientFor = ({ token, workspaceId }: Installed) =>
    clientOf(api.base, description, { token, workspace: workspaceId });
  const shop = clientFor(publisher);
  const reader = clientFor(subscriber);

  const seen = async <T extends { readonly position: number | null }>(work: Promise<T>): Promise<T> => {
    const done = await work;
    await platform.visible(done.position);
    return done;
  };
  const list = async (
    title: string,
    keys: readonly string[],
    streams: readonly string[],
    published = true,
  ): Promise<string> => {
    const { listingId } = await seen(
      market.draft(publisher.workspaceId, { title, keys, streams }, people.operator()),
    );
    if (published) await seen(market.publish(publisher.workspaceId, listingId, people.operator()));
    return listingId;
  };
  const world = {
    api,
    platform,
    people,
    clock,
    publisher,
    subscriber,
    shop,
    reader,
    list,
    as: clientFor,
    subscribe: (listing: string, who: Installed = subscriber) =>
      seen(market.subscribe(who.workspaceId, listing, publisher.workspaceId, people.operator())),
    unsubscribe: (listing: string, who: Installed = subscriber) =>
      seen(market.unsubscribe(who.workspaceId, listing, people.operator())),
    withdraw: (listing: string) => seen(market.withdraw(publisher.workspaceId, listing, people.operator())),
    async close() {
      shop.close();
      reader.close();
      await api.stop();
      folder.remove();
    },
  };
  await furnish(world.shop, 'shop');
  await furnish(world.reader, 'mine');
  await scored(platform);
  return world;
}

/**
 * The same kinds of data for whoever: streams with ties, revisions, values and events to come; signals that
 * move.
 */
async function furnish(client: Client, prefix: string): Promise<void> {
  const record = async (key: string, text: string, hours: number, more: object = {}) =>
    ok(
      await client.post('/v1/event/record', {
        key: `${prefix}.${key}`,
        text,
        occurred_at: PAST + hours * HOUR,
        ...more,
      }),
    ).body.data['event_id'] as string;
  for (const key of ['public', ODD, 'secret']) {
    for (let i = 0; i < 5; i++)
      await record(key, `Cranes stand still in the harbour ${i}`, Math.min(i, 3), { value: i, raw: { i } });
    await record(key, 'The harbour opens again', 400 * 24, { occurred_at: Date.UTC(2026, 5, 3) });
    const id = await record(key, '42', -1, { value: 42, source: 'sensor' });
    ok(await client.patch(`/v1/event/${id}`, { value: 43 }));
    ok(await client.patch(`/v1/event/${id}`, { name: 'Forty-three' }));
  }
  for (const key of ['orders', ODD, 'secret']) {
    const values = Array.from({ length: 60 }, (_, i) => [
      PAST + i * HOUR,
      Math.sin(i) + (i % 7) + key.length,
    ]);
    ok(await client.post('/v1/signal/push', { key: `${prefix}.${key}`, values, unit: 'EUR' }));
  }
}

export function ok<T>(answer: Answered<T>): Answered<T> {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
}

const scored = (platform: Running['platform']) =>
  until(async () => (await platform.areas.events.queries.totals()).pending === 0, 'all scores');
