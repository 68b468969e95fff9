import * as assert from 'uvu/assert';
import { deletionRows } from '../../api/signals/deletion.js';
import { entryViews } from '../../api/signals/entries.js';
import type { InUse, SignalDeps, Use } from '../../api/signals/deps.js';
import { marketplaceCommands } from '../../commands/marketplace.js';
import type { Rejected } from '../../domain/rejected.js';
import { ownSignal } from '../../projections/catalogue/entries.js';
import type { Stored } from '../../projections/engine/read-models.js';
import type { SignalDoc } from '../../projections/signals/documents.js';
import { peopleOf } from '../people.js';
import { suite } from '../suite.js';
import { HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';

suite('deleting signals and event streams', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
  });
  test.after(() => world.close());

  const remove = (body: object) => world.post('/v1/signal/delete', body);
  const nothing = {
    deleted_keys: [],
    deleted_streams: [],
    deleted_points: 0,
    deleted_events: 0,
    skipped: [],
  };
  const keys = async () =>
    (await world.get('/v1/signal?limit=100&sort_by=key&sort_order=asc')).signals.map(
      ({ key, type }: { key: string; type: string }) => `${type} ${key}`,
    );
  const listed = async (title: string, names: readonly string[], streams: readonly string[] = []) => {
    const context = {
      ...peopleOf(world.api.platform).operator(),
      workspace: world.api.installed.workspaceId,
    };
    const { listingId, position } = await marketplaceCommands(world.api.platform.handle).draft(
      world.api.installed.workspaceId,
      { title, keys: names, streams },
      context,
    );
    await world.api.platform.visible(position);
    return listingId;
  };

  test('points and events go and are counted; what is unknown or subscribed is named', async () => {
    await world.push(
      'a.b/c',
      Array.from({ length: 2_500 }, (_, i) => i),
    );
    await world.push('a.b/c', [7, 8], { from: T0 + HOUR });
    await world.push('stays', [1]);
    await world.push('日本 %', [1, 2]);
    for (let i = 0; i < 3; i++) await world.record('日本 %', `Event ${i}`, T0 + i);
    await world.record('later', 'To come', world.now + HOUR);
    const answer = await remove({
      keys: ['a.b/c', '日本 %', 'no such', 'a.b/c', 'mkt:lst_1:a', 'mkt-evt:lst_1:b'],
      event_streams: ['later', '日本 %', 'no such', 'mkt-evt:lst_1:b', 'stays'],
    });
    assert.equal(answer, {
      deleted_keys: ['a.b/c', '日本 %'],
      deleted_streams: ['later', '日本 %'],
      deleted_points: 2_502,
      deleted_events: 4,
      skipped: [
        { key: 'no such', reason: 'not_found' },
        { key: 'mkt:lst_1:a', reason: 'subscribed_alias' },
        { key: 'mkt-evt:lst_1:b', reason: 'subscribed_stream' },
        { key: 'no such', reason: 'not_found' },
        { key: 'mkt-evt:lst_1:b', reason: 'subscribed_stream' },
        { key: 'stays', reason: 'not_found' },
      ],
    });
    assert.equal(await keys(), ['signal stays']);
    assert.is((await world.client.get('/v1/signal/points?key=a.b/c')).status, 404);
    assert.is((await world.client.get('/v1/signal/revisions?key=a.b/c')).status, 404);
    assert.equal(await world.get('/v1/signal/has-data'), { has_data: true, signal_count: 1 });
    assert.equal((await world.get('/v1/event/upcoming')).events, []);
    assert.equal(await remove({ keys: ['a.b/c'] }), {
      ...nothing,
      skipped: [{ key: 'a.b/c', reason: 'not_found' }],
    });
  });

  test('a key begins anew, with none of its old points and revisions', async () => {
    await world.push('a.b/c', [5]);
    assert.equal((await world.get('/v1/signal/points?key=a.b/c')).points, [[T0, 5]]);
    assert.equal((await world.get('/v1/signal/revisions?key=a.b/c')).revisions, []);
    assert.equal(await remove({ keys: ['a.b/c'] }), {
      ...nothing,
      deleted_keys: ['a.b/c'],
      deleted_points: 1,
    });
  });

  test('`force` takes no subscribed one either; an empty batch does nothing', async () => {
    assert.equal(await remove({ keys: ['mkt:lst_1:a'], event_streams: ['mkt-evt:x'], force: true }), {
      ...nothing,
      skipped: [
        { key: 'mkt:lst_1:a', reason: 'subscribed_alias' },
        { key: 'mkt-evt:x', reason: 'subscribed_stream' },
      ],
    });
    assert.equal(await remove({}), nothing);
    assert.equal(await remove({ keys: [], event_streams: [], force: false }), nothing);
  });

  test('with a listing, draft or published, the whole batch is refused, unless by `force`', async () => {
    for (const key of ['sold', 'sold too', 'free']) await world.push(key, [1]);
    await world.record('sold.events', 'Event', T0);
    const draft = await listed('Draft', ['sold', 'stays'], ['sold.events']);
    const published = await listed('Published', ['sold too']);
    const { position } = await marketplaceCommands(world.api.platform.handle).publish(
      world.api.installed.workspaceId,
      published,
      peopleOf(world.api.platform).operator(),
    );
    await world.api.platform.visible(position);
    const before = await keys();
    const refused = async (body: object) => {
      const { status, body: answer } = await world.client.post<Json>('/v1/signal/delete', body);
      assert.equal(
        [status, answer.error.code, answer.status, answer.data],
        [409, 'LISTING_CONFLICT', answer.error.message, undefined],
      );
      assert.equal(await keys(), before);
      return answer.error.details.listings.sort((a: { title: string }, b: { title: string }) =>
        a.title < b.title ? -1 : 1,
      );
    };
    assert.equal(await refused({ keys: ['free', 'sold', 'sold too'], event_streams: ['sold.events'] }), [
      { listing_id: draft, title: 'Draft', state: 'draft', keys: ['sold', 'sold.events'] },
      { listing_id: published, title: 'Published', state: 'published', keys: ['sold too'] },
    ]);
    assert.equal(await refused({ event_streams: ['sold.events'], force: false }), [
      { listing_id: draft, title: 'Draft', state: 'draft', keys: ['sold.events'] },
    ]);
    assert.equal((await remove({ keys: ['free', 'no such'] })).deleted_keys, ['free']);
    const forced = await remove({ keys: ['sold', 'sold too'], event_streams: ['sold.events'], force: true });
    assert.equal(
      [forced.deleted_keys, forced.deleted_streams, forced.skipped],
      [['sold', 'sold too'], ['sold.events'], []],
    );
  });

  test('1,000 keys in one go; more are refused, counted over both lists', async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => `many.${i}`);
    await world.post('/v1/signal/push', { points: many.map(key => ({ key, value: 1, timestamp: T0 })) });
    assert.is((await world.client.post('/v1/signal/delete', { keys: [...many, 'one more'] })).status, 422);
    assert.is(
      (await world.client.post('/v1/signal/delete', { keys: many, event_streams: ['one more'] })).status,
      422,
    );
    const { deleted_keys, deleted_points } = await remove({ keys: many });
    assert.equal([deleted_keys.length, deleted_points], [1_000, 1_000]);
    assert.is((await world.get('/v1/signal?group=many')).total, 0);
  });

  for (const body of [
    { keys: 'a' },
    { keys: [''] },
    { keys: ['a\u0000'] },
    { event_streams: [1] },
    { keys: ['a'], force: 'yes' },
  ])
    test(`${JSON.stringify(body)} is refused`, async () =>
      assert.is((await world.client.post('/v1/signal/delete', body)).status, 422));

  test("nobody deletes what is another's", async () => {
    const stranger = await world.stranger();
    const { body } = await stranger.post<Json>('/v1/signal/delete', { keys: ['stays'], force: true });
    assert.equal(body.data, { ...nothing, skipped: [{ key: 'stays', reason: 'not_found' }] });
    assert.equal(await keys(), ['signal stays']);
    const token = await peopleOf(world.api.platform).token(world.api.installed.uid, {
      scopes: ['signals.read', 'data.write'],
    });
    const reader = world.client.as({ token, workspace: world.api.installed.workspaceId });
    assert.is((await reader.post('/v1/signal/delete', { keys: ['stays'] })).status, 403);
  });

  test('two deletions at once: each signal goes once', async () => {
    await world.push('raced', [1, 2, 3]);
    const answers = await Promise.all([1, 2, 3].map(() => remove({ keys: ['raced'] })));
    assert.equal(answers.map(({ deleted_points }) => deleted_points).sort(), [0, 0, 3]);
  });
});

suite('what goals and segments use', test => {
  const use: Use = { kind: 'goal', id: 'goa_1', name: 'Sales', keys: ['a', 'elsewhere'], streams: ['s'] };
  const asked: unknown[] = [];
  // There are no goals yet: a room that has one
  const inUse: InUse = async (...of) => {
    asked.push(of);
    return [use];
  };

  test('is deleted with `force` only', async () => {
    const [row] = deletionRows({
      market: { listingsOf: async () => [] },
      inUse,
      clock: () => T0,
    } as unknown as SignalDeps);
    const call = {
      workspace: 'w',
      caller: {},
      requestId: 'r',
      body: { keys: ['a', 'b'], event_streams: ['s'] },
    } as never;
    await (row!.run(call) as Promise<unknown>).then(
      () => assert.unreachable(),
      (error: Rejected) => {
        assert.equal(
          [error.kind, error.code, error.details],
          ['conflict', 'IN_USE', { users: [{ kind: 'goal', id: 'goa_1', name: 'Sales', keys: ['a', 's'] }] }],
        );
      },
    );
    assert.equal(asked, [['w', ['a', 'b'], ['s']]]);
  });

  test('is counted in the rows of the list', async () => {
    const { doc } = ownSignal({ key: 'a', first_at: 0, last_at: 0 } as Stored<SignalDoc>);
    const of = (key: string) => ownSignal({ ...doc, key });
    const room = {
      inUse,
      edges: async () => new Map(),
      courses: {
        ofSignals: async (_: string, entries: unknown[]) =>
          entries.map(() => ({ cadence: null, gaps: 0, spark: [] })),
        ofStreams: async () => [],
      },
    } as unknown as SignalDeps;
    const rows = (await entryViews(room, 'w', [of('a'), of('s')], 0)) as { in_use_by: object }[];
    assert.equal(
      rows.map(({ in_use_by }) => in_use_by),
      [
        { goals: 1, segments: 0 },
        { goals: 0, segments: 0 },
      ],
    );
  });
});
