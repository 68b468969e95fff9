import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import type { Client } from './client.js';
import { validatedEdge } from './edges-world.js';
import { goalBy } from './goals-world.js';
import { HOUR, marketWorld, ok, type MarketWorld } from './market-world.js';
import { eventsOf, streamsOf } from './market-reads.js';
import { suite } from '../suite.js';

suite('events as of a past moment', test => {
  let world: MarketWorld;
  let goalId: string;
  let alias: string;
  let first: number;
  let seven: string;
  let deleted: readonly string[];
  test.before(async () => {
    world = await marketWorld();
    const listing = await world.list('Harbour', [], ['shop.public']);
    alias = `mkt-evt:${listing}:shop.public`;
    await world.subscribe(listing);
    goalId = await goalBy(world.api.call, 'driven');
    await validatedEdge(world.api, goalId, 'shop.public');
    const stale = ok(await world.shop.post('/v1/event/record', { key: 'shop.public', text: '7', value: 7 }));
    world.clock.now += 1_000;
    seven = stale.body.data['event_id'] as string;
    ok(await world.shop.patch(`/v1/event/${seven}`, { name: 'Seven' }));
    first = world.clock.now;
  });
  test.after(() => world.close());

  const stream = (key: string, query: string) =>
    `/v1/event/streams/${encodeURIComponent(key)}/events?limit=2${query}`;
  /** What every read of events answers a client, as `at` says. */
  async function told(client: Client, key: string, more: readonly string[], at = ''): Promise<Json> {
    const read = async (path: string) => {
      const { status, body, headers } = await client.get<Json>(path);
      if (at !== '' && status === 200) {
        assert.is(headers['x-as-of'], new Date(first).toISOString(), path);
        assert.is(body.data.as_of, headers['x-as-of'], path);
      }
      const { as_of: _, deleted_since: __, ...data } = body.data ?? {};
      return [path.replace(at, ''), status, data];
    };
    const pages = [];
    for (let next: string | null = ''; next !== null; ) {
      const [, status, data]: Json = await read(stream(key, next + at));
      pages.push([status, data]);
      const on = data.next_before === null ? `&cursor=${data.next_cursor}` : `&before=${data.next_before}`;
      next = data.has_more ? on : null;
    }
    const lists = ['streams?points=all', 'streams?points=none', 'streams?max_points=2'];
    const upcoming = ['upcoming?limit=2', `upcoming?streams=${encodeURIComponent(key)}`, ...more];
    const all = await Promise.all([...lists, ...upcoming].map(each => read(`/v1/event/${each}${at}`)));
    const ids = (await eventsOf(client, key, at === '' ? '' : `?${at.slice(1)}`)).events;
    const one = ids.flatMap(({ event_id: id }) => [`/v1/event/${id}?`, `/v1/event/${id}/revisions?`]);
    return [pages, all, await Promise.all(one.map(each => read(each + at)))];
  }

  test('are of the own workspace and of what it subscribes to alone', async () => {
    const { shop, reader } = world;
    const at = `as_of=${first}`;
    const { event_id: secret } = (await eventsOf(shop, 'shop.secret', `?${at}`)).events[0]!;
    assert.is((await shop.get(`/v1/event/${secret}?${at}`)).status, 200);
    for (const below of ['', '/revisions'])
      assert.is((await reader.get(`/v1/event/${secret}${below}?${at}`)).status, 404);
    assert.equal((await eventsOf(reader, 'shop.secret', `?${at}`)).events, []);
    assert.equal((await eventsOf(reader, alias.replace('public', 'secret'), `?${at}`)).events, []);
    const keys = (await streamsOf(reader, `?${at}`)).map(({ key }) => key);
    assert.equal(
      keys.filter(key => key.includes('shop')),
      [alias],
    );
  });

  test('before anything was recorded there is nothing', async () => {
    const { shop } = world;
    const at = 'as_of=2026-05-01';
    assert.equal(await streamsOf(shop, `?${at}`), []);
    assert.equal((await eventsOf(shop, 'shop.public', `?${at}`)).events, []);
    assert.is((await shop.get<Json>(`/v1/event/upcoming?${at}`)).body.data.total, 0);
    assert.is((await shop.get(`/v1/event/upcoming?${at}&goal_id=${goalId}`)).status, 404);
  });

  test('are what was answered then, whatever was changed, deleted or recorded since', async () => {
    const { shop, reader, clock } = world;
    const driven = [`upcoming?goal_id=${goalId}`];
    const given = [await told(shop, 'shop.public', driven), await told(reader, alias, [])];
    const streams = await streamsOf(shop);
    clock.now += 1_000;
    const { events } = await eventsOf(shop, 'shop.public');
    ok(await shop.patch(`/v1/event/${events[0]!.event_id}`, { name: 'Renamed', value: 3 }));
    ok(await shop.patch(`/v1/event/${events[1]!.event_id}`, { occurred_at: '2026-01-05T00:00:00Z' }));
    ok(await shop.delete(`/v1/event/${events[2]!.event_id}`));
    ok(await shop.post('/v1/event/record', { key: 'shop.public', text: 'New' }));
    ok(
      await shop.post('/v1/event/record', {
        key: 'shop.another',
        text: 'New',
        occurred_at: clock.now + HOUR,
      }),
    );
    await validatedEdge(world.api, goalId, 'shop.another');
    const at = `&as_of=${new Date(first).toISOString()}`;
    assert.equal([await told(shop, 'shop.public', driven, at), await told(reader, alias, [], at)], given);
    clock.now += 1_000;
    deleted = streams.map(({ key }) => key);
    for (const key of deleted) ok(await shop.delete(`/v1/event/streams/${encodeURIComponent(key)}`));
    ok(await shop.post('/v1/event/record', { key: 'shop.public', text: 'A new life' }));
    const newest = await eventsOf(shop, 'shop.public', `?as_of=${clock.now}`);
    assert.is(newest.events.length, 1);
  });

  test('of streams that were deleted since, lists say so, and single events are still told', async () => {
    const { shop, reader } = world;
    const at = `as_of=${first}`;
    for (const [client, key, gone] of [
      [shop, 'shop.public', deleted],
      [reader, alias, [alias]],
    ] as const) {
      const page = await client.get<Json>(`/v1/event/streams/${encodeURIComponent(key)}/events?${at}`);
      assert.equal([page.status, page.body.error.code], [422, 'stream_deleted_since']);
      for (const path of ['streams?', 'streams?points=none&', 'upcoming?']) {
        const { data } = ok(await client.get<Json>(`/v1/event/${path}${at}`)).body;
        const theirs = (list: readonly { readonly key: string }[]) =>
          list.filter(one => one.key.includes('shop.'));
        assert.equal(theirs(data.streams ?? data.events), []);
        assert.equal(data.deleted_since, gone, path);
      }
      const named = ok(await client.get<Json>(`/v1/event/upcoming?streams=none&${at}`)).body.data;
      assert.equal([named.total, named.deleted_since], [0, []]);
    }
    const was = ok(await shop.get<Json>(`/v1/event/${seven}?${at}`)).body.data;
    assert.equal([was.name, was.value, was.value_normalized], ['Seven', 7, null]);
  });

  test('a moment to come, or none, is refused', async () => {
    for (const path of [
      'streams',
      'upcoming',
      'streams/shop.public/events',
      'evt_none',
      'evt_none/revisions',
    ])
      for (const wrong of ['soon', '2099-01-01']) {
        const { status, body } = await world.shop.get<Json>(`/v1/event/${path}?as_of=${wrong}`);
        assert.equal([status, body.detail[0].loc], [422, ['query', 'as_of']], path);
      }
  });
});
