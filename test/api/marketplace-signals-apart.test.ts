import * as assert from 'uvu/assert';
import { bare, listedSignals, query, rowsOf } from './market-reads.js';
import { HOUR, marketWorld, ODD, ok, type MarketWorld } from './market-world.js';
import { suite } from '../suite.js';

suite('what a subscriber of signals has no part in', test => {
  let world: MarketWorld;
  let listing: string;
  let alias: (key: string) => string;
  test.before(async () => {
    world = await marketWorld();
    listing = await listedSignals(world);
    alias = key => `mkt:${listing}:${key}`;
  });
  test.after(() => world.close());

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
