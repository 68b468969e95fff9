import * as assert from 'uvu/assert';
import type { Client } from './client.js';
import { eventsOf, streamsOf, upcomingOf, type Listed, type Page } from './market-reads.js';
import { HOUR, marketWorld, ODD, ok, type MarketWorld } from './market-world.js';
import { suite } from '../suite.js';

suite('events of subscribed streams', test => {
  let world: MarketWorld;
  let listing: string;
  let alias: (key: string) => string;
  test.before(async () => {
    world = await marketWorld();
    listing = await world.list('Harbour', ['shop.orders'], ['shop.public', `shop.${ODD}`]);
    alias = key => `mkt-evt:${listing}:${key}`;
    await world.subscribe(listing);
  });
  test.after(() => world.close());

  /** What the publisher is told, as the subscriber should be told it. */
  const renamed = (told: unknown): unknown =>
    JSON.parse(
      JSON.stringify(told, (name, value: unknown) => {
        if (typeof value !== 'string') return value;
        if (name === 'score_version') return value.replace(/\.[0-9a-f]{8}$/, '');
        const isStream = value === 'shop.public' || value === `shop.${ODD}`;
        return isStream && ['key', 'stream', 'source'].includes(name) ? alias(value) : value;
      }),
    );

  test("are in the stream list between one's own, as the publisher sees them", async () => {
    const streams = await streamsOf(world.reader);
    assert.equal(
      streams.map(({ key }) => key),
      [`mine.${ODD}`, 'mine.public', 'mine.secret', alias(`shop.${ODD}`), alias('shop.public')],
    );
    const theirs = (await streamsOf(world.shop)).filter(({ key }) => key !== 'shop.secret');
    assert.equal(streams.slice(3), renamed(theirs));
    ok(await world.reader.post('/v1/event/record', { key: 'zebra', text: 'Comes last' }));
    assert.equal((await streamsOf(world.reader, '?points=none')).map(({ key }) => key).slice(3), [
      alias(`shop.${ODD}`),
      alias('shop.public'),
      'zebra',
    ]);
    ok(await world.reader.delete('/v1/event/streams/zebra'));
  });

  for (const limit of [1, 2, 3, 500])
    test(`are paged as the publisher pages them, ${limit} at a time`, async () => {
      const next = ({ has_more, next_before, next_cursor }: Page) =>
        !has_more
          ? null
          : `?limit=${limit}&${next_before === null ? `cursor=${next_cursor}` : `before=${next_before}`}`;
      for (const key of ['shop.public', `shop.${ODD}`])
        for (let mine: string | null = `?limit=${limit}`, theirs: string | null = mine; mine && theirs; ) {
          const [page, original]: [Page, Page] = [
            await eventsOf(world.reader, alias(key), mine),
            await eventsOf(world.shop, key, theirs),
          ];
          assert.equal({ ...page, next_cursor: null }, renamed({ ...original, next_cursor: null }));
          assert.not.ok(
            Buffer.from(page.next_cursor ?? '', 'base64url')
              .toString()
              .includes(world.publisher.workspaceId),
          );
          [mine, theirs] = [next(page), next(original)];
        }
    });

  test('are among what is to come, by stream or all', async () => {
    const all = await upcomingOf(world.reader);
    const keys = all.events.map(({ key }) => key);
    assert.equal(
      [...keys].sort(),
      ['mine.public', 'mine.secret', `mine.${ODD}`, alias('shop.public'), alias(`shop.${ODD}`)].sort(),
    );
    assert.is(all.total, 5);
    const theirs = await upcomingOf(world.shop, '?streams=shop.public');
    assert.equal(await upcomingOf(world.reader, `?streams=${alias('shop.public')}`), renamed(theirs));
    const few = await upcomingOf(
      world.reader,
      `?limit=1&streams=${alias('shop.public')},mine.public,${alias('shop.secret')}`,
    );
    assert.equal([few.events.length, few.total], [1, 2]);
    assert.equal(await upcomingOf(world.reader, '?streams=shop.public'), { events: [], total: 0 });
  });

  test('are read by their ids, with their history, under a version of their own', async () => {
    for (const key of ['shop.public', `shop.${ODD}`])
      for (const { event_id } of (await eventsOf(world.shop, key)).events) {
        for (const path of [
          `/v1/event/${event_id}`,
          `/v1/event/${event_id}/revisions`,
          `/v1/event/${event_id}/revisions?per_page=1&page=2`,
        ])
          assert.equal(ok(await world.reader.get(path)).body, renamed(ok(await world.shop.get(path)).body));
        const { etag } = (await world.reader.get(`/v1/event/${event_id}`)).headers;
        assert.is(
          (await world.reader.get(`/v1/event/${event_id}`, { 'if-none-match': etag as string })).status,
          304,
        );
      }
  });

  test('are read-only', async () => {
    const [{ event_id }] = (await eventsOf(world.reader, alias('shop.public'))).events as [Listed];
    const { reader } = world;
    const body = { key: alias('shop.public'), text: 'Mine now' };
    const answers = [
      await reader.post('/v1/event/record', body),
      await reader.patch(`/v1/event/${event_id}`, { name: 'x' }),
      await reader.delete(`/v1/event/${event_id}`),
      await reader.delete(`/v1/event/streams/${encodeURIComponent(alias('shop.public'))}`),
      await reader.delete('/v1/event/streams/mkt-evt:whatever'),
    ];
    for (const {
      status,
      body: { error },
    } of answers)
      assert.equal([status, error.code, /read-only/.test(error.message)], [403, 'stream_read_only', true]);
    const batch = await reader.post('/v1/event/record-batch', {
      events: [body, { key: 'mine.batch', text: 'Fine' }],
    });
    assert.equal(
      (batch.body.data['errors'] as { code: string }[]).map(({ code }) => code),
      ['stream_read_only'],
    );
    ok(await reader.delete('/v1/event/streams/mine.batch'));
    assert.is((await eventsOf(world.shop, 'shop.public')).events[0]!.event_id, event_id);
  });

  test('nothing else of the publisher is there: by no name, by no id, in no count', async () => {
    const { reader, shop } = world;
    const drafted = await world.list('Draft', [], ['shop.secret'], false);
    const unread = await world.list('Other', [], ['shop.secret']);
    const names = [
      'shop.secret',
      'shop.public',
      alias('shop.secret'),
      alias('shop.orders'),
      alias(''),
      alias('shop.public.'),
      'mkt-evt:shop.public',
      `mkt-evt:${drafted}:shop.secret`,
      `mkt-evt:${unread}:shop.secret`,
      `mkt:${listing}:shop.public`,
      `mkt-evt:${listing}:../shop.secret`,
      `mkt-evt:${listing}/shop.public`,
      `mkt-evt:${world.publisher.workspaceId}:shop.public`,
      `mkt-evt:${listing}:shop`,
      'mkt-evt:',
      'mkt-evt::',
    ];
    for (const name of names) assert.equal((await eventsOf(reader, name)).events, [], name);
    assert.is((await upcomingOf(reader, `?streams=${encodeURIComponent(names.join(','))}`)).total, 0);
    const unknown = await reader.get('/v1/event/evt_nothing');
    for (const { event_id } of (await eventsOf(shop, 'shop.secret')).events) {
      for (const answer of [
        await reader.get(`/v1/event/${event_id}`),
        await reader.get(`/v1/event/${event_id}/revisions`),
        await reader.patch(`/v1/event/${event_id}`, { name: 'x' }),
        await reader.delete(`/v1/event/${event_id}`),
      ])
        assert.equal(
          [answer.status, answer.body.error.code, answer.body.status],
          [unknown.status, unknown.body.error.code, unknown.body.status],
        );
    }
  });

  test('what a publisher does elsewhere changes not a byte of what a subscriber is told', async () => {
    const { reader, shop, publisher } = world;
    const ids = (await eventsOf(shop, 'shop.public')).events.map(({ event_id }) => event_id);
    const paths = [
      '/v1/event/streams',
      '/v1/event/upcoming',
      '/v1/event/upcoming?limit=3',
      ...ids.flatMap(id => [`/v1/event/${id}`, `/v1/event/${id}/revisions`]),
      ...['shop.public', `shop.${ODD}`].map(
        key => `/v1/event/streams/${encodeURIComponent(alias(key))}/events?limit=2`,
      ),
    ];
    const told = async () =>
      Promise.all(
        paths.map(async path => {
          const {
            status,
            headers: { etag },
            text,
          } = ok(await reader.get(path));
          return { path, status, etag, text };
        }),
      );
    const before = await told();
    for (const { text } of before)
      assert.not.match(
        text,
        new RegExp(`${publisher.workspaceId}|${publisher.organizationId}|shop\\.secret`),
      );
    await shop.post('/v1/event/record', {
      key: 'shop.secret',
      text: 'Nobody shall know',
      occurred_at: world.clock.now + HOUR,
    });
    await shop.post('/v1/event/record', { key: 'shop.public.2', text: 'Not listed' });
    await shop.delete(`/v1/event/streams/${encodeURIComponent('shop.secret')}`);
    await shop.post('/v1/signal/push', { key: 'shop.public', value: 1 });
    assert.is(
      (await shop.patch(`/v1/workspace/${publisher.workspaceId}`, { domain_terms: ['fish'] })).status,
      200,
    );
    await world.list('Another', ['shop.orders'], ['shop.public']);
    assert.equal(await told(), before);
  });

  test('follow the publisher at once: what is recorded, revised, withdrawn and deleted', async () => {
    const { reader, shop } = world;
    const key = `shop.${ODD}`;
    const { event_id } = ok(await shop.post('/v1/event/record', { key, text: '7', value: 7 })).body.data as {
      event_id: string;
    };
    assert.is(
      (await eventsOf(reader, alias(key))).events.filter(event => event.event_id === event_id).length,
      1,
    );
    ok(await shop.patch(`/v1/event/${event_id}`, { name: 'Seven' }));
    assert.is(ok(await reader.get(`/v1/event/${event_id}`)).body.data['name'], 'Seven');
    ok(await shop.delete(`/v1/event/${event_id}`));
    assert.is((await reader.get(`/v1/event/${event_id}`)).status, 404);
    ok(await shop.delete(`/v1/event/streams/${encodeURIComponent(key)}`));
    assert.not.ok((await streamsOf(reader)).some(stream => stream.key === alias(key)));
    assert.equal((await eventsOf(reader, alias(key))).events, []);
    ok(await shop.post('/v1/event/record', { key, text: '8' }));
    assert.is((await streamsOf(reader)).find(stream => stream.key === alias(key))!.count, 1);
  });

  test('one stream in two listings is two, and each ends by itself, for one workspace alone', async () => {
    const { reader, publisher, people } = world;
    const other = await people.tenant('third@example.org');
    const third = world.as(other);
    const second = await world.list('Harbour once more', [], ['shop.public']);
    const there = `mkt-evt:${second}:shop.public`;
    assert.equal(await streamsOf(third), []);
    await world.subscribe(second);
    await world.subscribe(second, other);
    const has = async (client: Client, key: string) =>
      (await streamsOf(client)).some(stream => stream.key === key);
    const [{ event_id }] = (await eventsOf(reader, there)).events as [Listed];
    assert.equal(
      [await has(reader, there), await has(reader, alias('shop.public')), await has(third, there)],
      [true, true, true],
    );
    assert.is((await upcomingOf(reader, `?streams=${there},${alias('shop.public')}`)).total, 2);
    await world.unsubscribe(listing);
    assert.equal([await has(reader, there), await has(reader, alias('shop.public'))], [true, false]);
    assert.is(ok(await reader.get(`/v1/event/${event_id}`)).body.data['key'], there);
    await world.unsubscribe(second);
    assert.equal([await has(reader, there), await has(third, there)], [false, true]);
    assert.equal((await eventsOf(reader, there)).events, []);
    assert.is((await upcomingOf(reader, `?streams=${there}`)).total, 0);
    assert.is((await reader.get(`/v1/event/${event_id}`)).status, 404);
    assert.is((await reader.patch(`/v1/event/${event_id}`, { name: 'x' })).status, 404);
    assert.is((await reader.delete(`/v1/event/streams/${encodeURIComponent(there)}`)).status, 403);
    await world.withdraw(second);
    assert.equal([await streamsOf(third), (await third.get(`/v1/event/${event_id}`)).status], [[], 404]);
    third.close();
    const audited = async (client: Client, workspace: string) =>
      ok(await client.get(`/v1/workspace/${workspace}/audit?per_page=100`)).body.data['entries'] as {
        action: string;
        resource: string;
        data: object;
      }[];
    const mine = (await audited(reader, world.subscriber.workspaceId)).filter(({ action }) =>
      /^(Listing|Subscription)/.test(action),
    );
    assert.equal(
      mine.map(({ action, data }) => [action, data]),
      [
        ['SubscriptionEnded', { listingId: second }],
        ['SubscriptionEnded', { listingId: listing }],
        ['SubscriptionStarted', { listingId: second }],
        ['SubscriptionStarted', { listingId: listing }],
      ],
    );
    assert.ok(
      mine.every(({ resource }) => resource.startsWith(`subscription-${world.subscriber.workspaceId}.lst_`)),
    );
    const theirs = (await audited(world.shop, publisher.workspaceId)).filter(({ action }) =>
      /^(Listing|Subscription)/.test(action),
    );
    assert.equal(
      theirs.slice(0, 3).map(({ action, resource }) => [action, resource]),
      [
        ['ListingWithdrawn', `listing-${publisher.workspaceId}.${second}`],
        ['ListingPublished', `listing-${publisher.workspaceId}.${second}`],
        ['ListingDrafted', `listing-${publisher.workspaceId}.${second}`],
      ],
    );
  });
});
