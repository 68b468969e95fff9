import * as assert from 'uvu/assert';
import type { Client } from './client.js';
import { HOUR, marketWorld, ODD, ok, type MarketWorld } from './market-world.js';
import { suite } from '../suite.js';
import type { Json } from '../json.js';

type SignalRow = {
  key: string;
  type: string;
  group: string;
  origin: string;
  base: string | null;
  entity: string | null;
};
const query = (given: Record<string, string | number>) =>
  `?${Object.entries(given)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;
const rowsOf = async (client: Client, given: Record<string, string | number> = {}) =>
  ok(await client.get(`/v1/signal${query({ limit: 100, sort_by: 'key', sort_order: 'asc', ...given })}`)).body
    .data as { signals: SignalRow[]; total: number };
const bare = async (client: Client, path: string): Promise<Json> => ok(await client.get<unknown>(path)).body;

suite('subscribed signals', test => {
  let world: MarketWorld;
  let listing: string;
  let alias: (key: string) => string;
  const listed = ['shop.orders', `shop.${ODD}`];
  test.before(async () => {
    world = await marketWorld();
    ok(
      await world.shop.post('/v1/signal/push', {
        points: [{ key: 'shop.flow', entity: 'north', value: 4, timestamp: '2026-01-02T00:00:00Z' }],
      }),
    );
    ok(
      await world.shop.post('/v1/signal/groups/assign', {
        keys: [...listed, 'shop.public'],
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
    listing = await world.list('Shop', [...listed, 'shop.flow__north'], ['shop.public']);
    alias = key => `mkt:${listing}:${key}`;
    await world.subscribe(listing);
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

  test('are read-only', async () => {
    const { reader } = world;
    const key = alias('shop.orders');
    const pushed = await reader.post('/v1/signal/push', { key, value: 1 });
    assert.equal([pushed.status, pushed.body.error.code], [403, 'signal_read_only']);
    const some = ok(
      await reader.post('/v1/signal/push', {
        points: [
          { key, value: 1 },
          { key: 'mine.more', value: 1 },
        ],
      }),
    ).body.data;
    assert.equal(
      (some['errors'] as { code: string }[]).map(({ code }) => code),
      ['signal_read_only'],
    );
    for (const [path, body] of [
      ['units/assign', { unit: 'x' }],
      ['groups/assign', { group: 'x' }],
      ['groups/unassign', {}],
    ] as const) {
      const { data } = ok(
        await reader.post(`/v1/signal/${path}`, { keys: [key, `mkt-evt:${listing}:shop.public`], ...body }),
      ).body;
      assert.is(data['updated'], 0);
    }
    assert.is((await reader.post('/v1/signal/display-name', { key, name: 'x' })).status, 404);
    const { data } = ok(
      await reader.post('/v1/signal/delete', {
        keys: [key, 'mine.more', 'mkt:whatever'],
        event_streams: [`mkt-evt:${listing}:shop.public`, 'mkt-evt:whatever'],
        force: true,
      }),
    ).body;
    assert.equal(
      [data['deleted_keys'], data['deleted_streams'], data['deleted_points']],
      [['mine.more'], [], 1],
    );
    assert.equal(
      (data['skipped'] as { reason: string }[]).map(({ reason }) => reason),
      ['subscribed_alias', 'subscribed_alias', 'subscribed_stream', 'subscribed_stream'],
    );
    assert.is((await rowsOf(world.shop, { search: 'shop.orders' })).total, 1);
  });

  test('nothing else of the publisher is there: by no name, in no count', async () => {
    const { reader } = world;
    const unread = await world.list('Other', ['shop.secret'], []);
    const drafted = await world.list('Draft', ['shop.secret'], [], false);
    const names = [
      'shop.orders',
      'shop.secret',
      alias('shop.secret'),
      alias('shop.public'),
      `mkt:${unread}:shop.secret`,
      `mkt:${drafted}:shop.secret`,
      `mkt:${listing}:`,
      `mkt:${listing}/shop.orders`,
      `mkt-evt:${listing}:shop.orders`,
      `mkt:${listing}:../shop.secret`,
      `mkt:${world.publisher.workspaceId}:shop.orders`,
      'mkt:',
      'mkt::',
    ];
    for (const key of names) {
      for (const path of ['points', 'revisions'])
        assert.is((await reader.get(`/v1/signal/${path}${query({ key })}`)).status, 404, key);
      for (const path of [
        `correlation${query({ keys: `${key},mine.orders` })}`,
        `relevance${query({ target: key })}`,
      ])
        assert.is((await reader.get(`/v1/signal/${path}`)).status, 422, key);
      assert.is(
        (await reader.get(`/v1/signal/causality${query({ keys: `${key},mine.orders` })}`)).status,
        400,
        key,
      );
    }
    assert.is((await rowsOf(reader, { search: 'secret' })).total, 2);
  });

  test('what the publisher does elsewhere changes not a byte of what a subscriber is told', async () => {
    const { reader, shop, publisher } = world;
    const key = alias('shop.orders');
    const paths = [
      '/v1/signal?limit=100',
      '/v1/signal/units',
      '/v1/signal/groups',
      '/v1/signal/display-names',
      '/v1/signal/overview',
      '/v1/signal/has-data',
      `/v1/signal/points${query({ key, limit: 3 })}`,
      `/v1/signal/revisions${query({ key, limit: 1 })}`,
      '/v1/signal/correlation',
      '/v1/signal/causality?windows=1&signal_count=20',
    ];
    const told = async () =>
      Promise.all(paths.map(async path => ({ path, text: ok(await reader.get(path)).text })));
    const before = await told();
    for (const { path, text } of before)
      assert.not.match(
        text,
        new RegExp(`${publisher.workspaceId}|${publisher.organizationId}|Board only|shop\\.secret`),
        path,
      );
    ok(
      await shop.post('/v1/signal/push', {
        points: [
          { key: 'shop.secret', value: 5 },
          { key: 'shop.new', value: 5 },
          { key: 'shop.public', value: 5 },
        ],
      }),
    );
    ok(await shop.post('/v1/signal/display-name', { key: 'shop.secret', name: 'Orders an hour' }));
    ok(
      await shop.post('/v1/signal/groups/assign', {
        keys: ['shop.orders', 'shop.secret'],
        group: 'Elsewhere',
      }),
    );
    ok(await shop.post('/v1/signal/delete', { keys: ['shop.new'] }));
    assert.equal(await told(), before);
  });

  test('follow the publisher at once, also when it deletes what is listed, which takes `force`', async () => {
    const { reader, shop } = world;
    const key = `shop.${ODD}`;
    const points = async () =>
      (await reader.get(`/v1/signal/points${query({ key: alias(key), limit: 1 })}`)).body.data?.['points'];
    ok(await shop.post('/v1/signal/push', { key, value: 7, timestamp: world.clock.now }));
    assert.equal(await points(), [[world.clock.now, 7]]);
    ok(await shop.post('/v1/signal/push', { key, value: 8, timestamp: world.clock.now }));
    assert.equal(await points(), [[world.clock.now, 8]]);
    const refused = await shop.post('/v1/signal/delete', {
      keys: [key, 'shop.secret', 'shop.orders'],
      event_streams: ['shop.public'],
    });
    assert.equal(
      [refused.status, refused.body.error.code, 'data' in refused.body],
      [409, 'LISTING_CONFLICT', false],
    );
    const found = refused.body.error.details['listings'] as {
      listing_id: string;
      title: string;
      state: string;
      keys: string[];
    }[];
    assert.equal(found.map(({ title, state, keys }) => [title, state, keys]).sort(), [
      ['Draft', 'draft', ['shop.secret']],
      ['Other', 'published', ['shop.secret']],
      ['Shop', 'published', ['shop.orders', key, 'shop.public']],
    ]);
    assert.equal(await points(), [[world.clock.now, 8]]);
    assert.equal(
      ok(await shop.post('/v1/signal/delete', { keys: [key], force: true })).body.data['deleted_keys'],
      [key],
    );
    assert.is(await points(), undefined);
    assert.is((await rowsOf(reader, { search: ODD })).total, 2);
    ok(await shop.post('/v1/signal/push', { key, value: 9, timestamp: world.clock.now + HOUR }));
    assert.equal(await points(), [[world.clock.now + HOUR, 9]]);
  });

  test("a subscription's end is felt at once, and leaves nothing", async () => {
    const { reader } = world;
    const keys = `${alias('shop.orders')},mine.orders`;
    ok(await reader.get(`/v1/signal/correlation${query({ keys })}`));
    await world.unsubscribe(listing);
    assert.equal(
      (await rowsOf(reader)).signals.filter(({ origin }) => origin === 'marketplace'),
      [],
    );
    assert.is((await reader.get(`/v1/signal/correlation${query({ keys })}`)).status, 422);
    assert.is((await reader.get(`/v1/signal/points${query({ key: alias('shop.orders') })}`)).status, 404);
    for (const path of ['units', 'groups', 'display-names', 'overview'])
      assert.not.match((await reader.get(`/v1/signal/${path}`)).text, /mkt/);
    assert.equal(await bare(reader, '/v1/signal/has-data'), { has_data: true, signal_count: 3 });
    await world.subscribe(listing);
    assert.is((await rowsOf(reader, { origin: 'marketplace' })).total, 4);
    await world.withdraw(listing);
    assert.is((await rowsOf(reader, { origin: 'marketplace' })).total, 0);
    assert.is((await world.shop.post('/v1/signal/delete', { keys: ['shop.orders'] })).status, 200);
  });
});
