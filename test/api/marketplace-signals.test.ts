import * as assert from 'uvu/assert';
import type { Client } from './client.js';
import { bare, LISTED as listed, listedSignals, query, rowsOf } from './market-reads.js';
import { marketWorld, ODD, ok, type MarketWorld } from './market-world.js';
import { suite } from '../suite.js';

suite('subscribed signals', test => {
  let world: MarketWorld;
  let listing: string;
  let alias: (key: string) => string;
  test.before(async () => {
    world = await marketWorld();
    listing = await listedSignals(world);
    alias = key => `mkt:${listing}:${key}`;
  });
  test.after(() => world.close());

  test("are rows of the list as the publisher's, in a group of their own", async () => {
    const { signals, total } = await rowsOf(world.reader, { type: 'signal' });
    assert.equal(
      signals.map(({ key }) => key),
      [
        `mine.${ODD}`,
        'mine.orders',
        'mine.secret',
        alias(`shop.${ODD}`),
        alias('shop.flow__north'),
        alias('shop.orders'),
      ],
    );
    assert.is(total, 6);
    const theirs = new Map((await rowsOf(world.shop, { type: 'signal' })).signals.map(row => [row.key, row]));
    for (const row of signals.slice(3)) {
      const original = theirs.get(row.key.slice(alias('').length))!;
      const base = original.base && alias(original.base);
      assert.equal(row, { ...original, key: row.key, base, group: 'marketplace', origin: 'marketplace' });
    }
    const byOrigin = await rowsOf(world.reader, { origin: 'marketplace' });
    assert.equal(byOrigin.signals.map(({ key, type }) => [key, type]).at(0), [
      `mkt-evt:${listing}:shop.public`,
      'event',
    ]);
    assert.is(byOrigin.total, 4);
    assert.is((await rowsOf(world.reader, { group: 'marketplace' })).total, 4);
    assert.is((await rowsOf(world.reader, { group: 'Board only' })).total, 0);
    assert.equal(
      (await rowsOf(world.reader, { search: 'orders an' })).signals.map(({ key }) => key),
      [alias('shop.orders')],
    );
    for (const sort of ['key', 'last_at', 'count']) {
      const all = (await rowsOf(world.reader, { sort_by: sort })).signals.map(({ key }) => key);
      const paged: string[] = [];
      for (let offset = 0; offset < all.length; offset += 2) {
        paged.push(
          ...(await rowsOf(world.reader, { sort_by: sort, limit: 2, offset })).signals.map(({ key }) => key),
        );
      }
      assert.equal(paged, all);
    }
    assert.equal(await bare(world.reader, '/v1/signal/has-data'), { has_data: true, signal_count: 6 });
  });

  test("have the publisher's units and names, on the word of the marketplace", async () => {
    const { units } = await bare(world.reader, '/v1/signal/units');
    assert.equal(units[alias('shop.orders')], { unit: 'parcels', origin: 'marketplace' });
    assert.equal(units[alias(`shop.${ODD}`)], { unit: 'EUR', origin: 'marketplace' });
    const { groups, assignments } = await bare(world.reader, '/v1/signal/groups');
    assert.equal(
      groups.find(({ name }: { name: string }) => name === 'marketplace'),
      { name: 'marketplace', count: 4, origins: { marketplace: 4 } },
    );
    assert.equal(assignments[alias('shop.orders')], { group: 'marketplace', origin: 'marketplace' });
    assert.equal(await bare(world.reader, '/v1/signal/display-names'), {
      [alias('shop.orders')]: 'Orders an hour',
    });
  });

  test('show their points, those that were replaced, and what they do over time', async () => {
    for (const key of listed)
      for (const path of ['points', 'revisions'])
        for (const more of [{ limit: 7 }, { limit: 1, sort_order: 'asc' }]) {
          const mine = ok(await world.reader.get(`/v1/signal/${path}${query({ key: alias(key), ...more })}`))
            .body.data;
          const theirs = ok(await world.shop.get(`/v1/signal/${path}${query({ key, ...more })}`)).body.data;
          assert.equal(mine, { ...theirs, key: alias(key) });
        }
    const span = { from: '2026-01-01T00:00:00Z', to: '2026-01-03T00:00:00Z' };
    const overview = async (client: Client, pins: string) =>
      ok(await client.get(`/v1/signal/overview${query({ ...span, pins })}`)).body.data as {
        series: { key: string }[];
        unknown_pins: string[];
        event_streams: { key: string }[];
      };
    const mine = await overview(world.reader, `${alias('shop.orders')},${alias('shop.secret')},shop.orders`);
    const theirs = await overview(world.shop, 'shop.orders');
    assert.equal(mine.series[0], { ...theirs.series[0], key: alias('shop.orders') });
    assert.equal(mine.unknown_pins, [alias('shop.secret'), 'shop.orders']);
    assert.equal(
      mine.series
        .map(({ key }) => key)
        .slice(1)
        .sort(),
      [`mine.${ODD}`, 'mine.orders', 'mine.secret', alias(`shop.${ODD}`), alias('shop.flow__north')].sort(),
    );
    assert.ok(mine.event_streams.some(({ key }) => key === `mkt-evt:${listing}:shop.public`));
  });

  test("take part in every analysis, beside one's own", async () => {
    type Correlated = { keys: string[]; matrix: number[][] };
    const renamed = (text: string) => text.replaceAll(alias('shop.'), 'shop.');
    const keys = (name: (key: string) => string) => listed.map(name).join();
    for (const path of [`correlation?max_lag=3&keys=`, `causality?windows=2&signal_count=20&keys=`]) {
      const mine = ok(await world.reader.get(`/v1/signal/${path}${encodeURIComponent(keys(alias))}`));
      const theirs = ok(await world.shop.get(`/v1/signal/${path}${encodeURIComponent(keys(key => key))}`));
      assert.is(renamed(mine.text), theirs.text);
    }
    const mixed = ok(
      await world.reader.get(
        `/v1/signal/correlation${query({ keys: `${alias('shop.orders')},mine.orders` })}`,
      ),
    ).body.data as unknown as Correlated;
    assert.equal([mixed.keys, mixed.matrix.length], [[alias('shop.orders'), 'mine.orders'], 2]);
    const all = ok(await world.reader.get('/v1/signal/correlation')).body.data as unknown as Correlated;
    assert.equal(
      [...all.keys].sort(),
      (await rowsOf(world.reader, { type: 'signal' })).signals.map(({ key }) => key).sort(),
    );
    const given = { target: alias('shop.orders'), keys: `mine.orders,mkt-evt:${listing}:shop.public` };
    const relevance = ok(await world.reader.get(`/v1/signal/relevance${query(given)}`));
    assert.is((relevance.body.data as { target: string }).target, alias('shop.orders'));
  });
});
