import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { validatedEdge } from './edges-world.js';
import { eventCalls } from './event-calls.js';
import { goalBy } from './goals-world.js';

const HOUR = 3_600_000;
type ItemError = { readonly index: number; readonly field: string; readonly code: string };

suite('streams of events over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const { record, get, scored } = eventCalls(() => api);

  test('a deleted stream is gone from every read, and begins anew from zero', async () => {
    for (let i = 0; i < 5; i++)
      await record({ key: 'gone', text: `Event ${i}`, occurred_at: 1_770_000_000 + i });
    await record({ key: 'gone', text: 'To come', occurred_at: Date.now() + HOUR });
    assert.equal((await api.call('DELETE', '/v1/event/streams/gone')).json.data, {
      stream: 'gone',
      deleted: 6,
    });
    assert.equal((await get('/v1/event/streams/gone/events')).data.events, []);
    assert.not((await get('/v1/event/streams')).data.streams.some((s: { key: string }) => s.key === 'gone'));
    assert.not((await get('/v1/event/upcoming')).data.events.some((e: { key: string }) => e.key === 'gone'));
    assert.is((await api.call('DELETE', '/v1/event/streams/gone')).json.data.deleted, 0);
    const { event_id } = (await record({ key: 'gone', text: 'Event 0', occurred_at: 1_770_000_000 })).json
      .data;
    await scored(event_id);
    const stream = (await get('/v1/event/streams')).data.streams.find(
      (s: { key: string }) => s.key === 'gone',
    );
    assert.is(stream.count, 1);
    assert.is(stream.points.length, 1);
    assert.is((await api.call('DELETE', '/v1/event/streams/mkt-evt:x')).status, 403);
  });

  test('a number as `before` is epoch milliseconds, also of the first years since 1970', async () => {
    const times = [70_000_000, 50_000_000, 0, -40_000_000, -90_000_000].map(time => time * 1_000);
    for (const time of times)
      await record({ key: 'old', text: `at ${time}`, occurred_at: new Date(time).toISOString() });
    const seen: number[] = [];
    let next = '';
    while (seen.length <= times.length) {
      const { data } = await get(`/v1/event/streams/old/events?limit=1${next}`);
      seen.push(...data.events.map((e: { occurred_at: number }) => e.occurred_at));
      if (!data.has_more) break;
      next = `&before=${data.next_before}`;
    }
    assert.equal(seen, times);
    const before = async (text: string) =>
      (await get(`/v1/event/streams/old/events?before=${text}`)).data.events.length;
    assert.equal([await before('1970-01-02'), await before('0'), await before('1')], [3, 2, 3]);
    const { status, json } = await api.call('GET', '/v1/event/streams/old/events?before=9e99');
    assert.equal([status, json.detail[0].loc], [422, ['query', 'before']]);
  });

  test('pages by `before` lose and double nothing, ties or not', async () => {
    const times = [5, 5, 5, 4, 3, 3, 2, 1, 1, 1, 1];
    for (const [i, t] of times.entries())
      await record({ key: 'paged', text: `number ${i}`, occurred_at: 1_760_000_000 + t });
    for (const limit of [1, 2, 3, 4, 20]) {
      const seen: string[] = [];
      for (let next = ''; ; ) {
        const { data } = await get(`/v1/event/streams/paged/events?limit=${limit}${next}`);
        seen.push(...data.events.map((e: { event_id: string }) => e.event_id));
        if (!data.has_more) break;
        next = data.next_before === null ? `&cursor=${data.next_cursor}` : `&before=${data.next_before}`;
      }
      assert.is(seen.length, times.length);
      assert.is(new Set(seen).size, times.length);
    }
    assert.is((await api.call('GET', '/v1/event/streams/paged/events?limit=0')).status, 422);
    assert.is((await get('/v1/event/streams/paged/events?limit=9999')).data.events.length, times.length);
  });

  test('the stream list counts, names the latest and gives a point for each event', async () => {
    const day = (n: number) => Date.UTC(2026, 0, n);
    for (let i = 1; i <= 6; i++)
      await record({ key: 'listed', text: `Factory fire number ${i}`, occurred_at: day(i) });
    const soon = Date.now() + 2 * HOUR;
    const { event_id } = (await record({ key: 'listed', text: 'Strike planned', occurred_at: soon })).json
      .data;
    await scored(event_id);
    const find = async (query = '') =>
      (await get(`/v1/event/streams${query}`)).data.streams.find((s: { key: string }) => s.key === 'listed');
    const stream = await until(async () => {
      const found = await find();
      return found.points.every((p: { rank: number | null }) => p.rank !== null) && found;
    });
    assert.is(stream.count, 7);
    assert.is(stream.latest_occurred_at, day(6));
    assert.is(stream.latest_text, 'Factory fire number 6');
    const { signals } = (await get('/v1/signal?type=event&search=listed')).data;
    assert.is(signals[0].latest_text, 'Factory fire number 6');
    assert.is(signals[0].last_at, new Date(soon).toISOString());
    assert.is(stream.scheduled_count, 1);
    assert.is(stream.next_scheduled_at, soon);
    assert.is(stream.edges, null);
    assert.equal(
      stream.points.map((p: { occurred_at: number }) => p.occurred_at),
      [1, 2, 3, 4, 5, 6].map(day).concat(soon),
    );
    assert.is(stream.max_rank, Math.max(...stream.points.map((p: { rank: number }) => p.rank)));
    assert.equal((await find('?points=none')).points, []);
    const few = (await find('?max_points=2')).points;
    assert.is(few.length, 2);
    assert.is(Math.max(...few.map((p: { rank: number }) => p.rank)), stream.max_rank);
  });

  test('upcoming events, soonest first, by window and stream', async () => {
    const now = Date.now();
    for (const [key, hours] of [
      ['u1', 3],
      ['u2', 1],
      ['u1', 2],
      ['u1', 1_000],
    ] as const)
      await record({ key, text: `In ${hours} hours`, occurred_at: now + hours * HOUR });
    const names = async (query: string) =>
      (await get(`/v1/event/upcoming?${query}`)).data.events.map((e: { name: string }) => e.name);
    assert.equal(await names('streams=u1,u2'), ['In 1 hours', 'In 2 hours', 'In 3 hours']);
    assert.equal(await names('streams=u1&within_hours=2.5'), ['In 2 hours']);
    assert.equal(await names('streams=u1&within_hours=2000&limit=2'), ['In 2 hours', 'In 3 hours']);
    for (const none of ['', ',', '%20']) {
      const { status, json } = await api.call('GET', `/v1/event/upcoming?streams=${none}`);
      assert.equal([status, json.detail[0].loc], [422, ['query', 'streams']]);
    }
  });

  test('upcoming events of the streams that drive a goal', async () => {
    const call: Running['call'] = (...sent) => api.call(...sent);
    const goalId = await goalBy(call, 'driven');
    const edge = await validatedEdge(api, goalId, 'drives');
    await validatedEdge(api, goalId, 'drives too');
    await validatedEdge(api, await goalBy(call, 'another'), 'drives another');
    for (const [i, key] of ['drives', 'drives too', 'drives another', 'drives nothing'].entries())
      await record({ key, text: `Of what ${key}`, occurred_at: Date.now() + (i + 1) * HOUR });
    const keys = async (query = '') => {
      const { events, total } = (await get(`/v1/event/upcoming?goal_id=${goalId}${query}`)).data;
      assert.is(total, events.length);
      return events.map(({ key }: { key: string }) => key);
    };
    assert.equal(await keys(), ['drives', 'drives too']);
    assert.equal(await keys('&streams=drives%20too,drives%20another'), ['drives too']);
    assert.equal(await keys('&streams=drives%20nothing'), []);
    const blocked = await call('POST', `/v1/goals/${goalId}/edges/${edge}/block`, { body: {} });
    assert.is(blocked.status, 200, blocked.text);
    assert.equal(await keys(), ['drives too']);
    const unknown = await call('GET', '/v1/event/upcoming?goal_id=goa_none');
    assert.equal([unknown.status, unknown.json.error.code], [404, 'not_found']);
  });

  test('a batch takes what is right and names what is wrong', async () => {
    const answer = await api.call('POST', '/v1/event/record-batch', {
      body: {
        events: [
          { key: 'batch', text: 'one' },
          { text: 'no key' },
          7,
          { key: 'batch', text: 'two', occurred_at: 'never' },
          { key: 'batch', text: 'three' },
        ],
      },
    });
    assert.is(answer.status, 201);
    assert.is(answer.json.data.accepted, 2);
    assert.equal(
      answer.json.data.errors.map((e: ItemError) => [e.index, e.field, e.code]),
      [
        [1, 'key', 'event_key_required'],
        [2, '', 'validation_error'],
        [3, 'occurred_at', 'validation_error'],
      ],
    );
    assert.is(answer.json.data.duplicates, 0);
    assert.is((await get('/v1/event/streams/batch/events')).data.events.length, 2);
    const body = { events: [{ text: 'no key' }] };
    const { status, json } = await api.call('POST', '/v1/event/record-batch', { body });
    assert.equal([status, json.detail[0].loc], [422, ['body', 'events', 0, 'key']]);
  });

  test('a batch counts what was there already, names what is refused, and lists 100 errors', async () => {
    const batch = async (events: object[]) =>
      (await api.call('POST', '/v1/event/record-batch', { body: { events } })).json.data;
    const known = { key: 'batch again', text: 'one', occurred_at: 1_772_409_600_000 };
    const far = { key: 'batch again', text: 'far', occurred_at: Date.now() + 500 * 24 * HOUR };
    await batch([known]);
    const { accepted, duplicates, rejected, errors } = await batch([
      ...[known, { ...known, name: 'Another name' }, { ...known, text: 'two' }],
      ...[far, { ...known, key: 'mkt-evt:x' }],
    ]);
    assert.equal([accepted, duplicates, rejected], [3, 1, 2]);
    assert.equal(
      errors.map((e: ItemError) => [e.index, e.field, e.code]),
      [
        [3, 'occurred_at', 'occurred_at_too_far'],
        [4, 'key', 'stream_read_only'],
      ],
    );
    const many = await batch([{ ...known, text: 'three' }, ...Array<object>(120).fill({ key: 'k' })]);
    assert.equal([many.rejected, many.errors.length], [120, 100]);
  });

  test('another workspace sees nothing of it', async () => {
    const { event_id } = (await record({ key: 'private', text: 'Secret', occurred_at: Date.now() + HOUR }))
      .json.data;
    const { platform } = api;
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: Date.now(),
    };
    const other = await platform.areas.identity.install(
      {
        organization: 'Other',
        workspace: 'Other',
        email: 'b@example.org',
        name: 'B',
        domainTerms: [],
        cell: 'local',
      },
      context,
    );
    await platform.visible(other.position);
    const theirs = (method: string, path: string, sent = {}) => send(api.base, method, path, other, sent);
    assert.is((await theirs('GET', `/v1/event/${event_id}`)).status, 404);
    assert.is((await theirs('PATCH', `/v1/event/${event_id}`, { body: { name: 'mine' } })).status, 404);
    assert.is((await theirs('DELETE', `/v1/event/${event_id}`)).status, 404);
    assert.is((await theirs('GET', `/v1/event/${event_id}/revisions`)).status, 404);
    assert.equal((await theirs('GET', '/v1/event/streams')).json, { data: { streams: [] } });
    assert.equal((await theirs('GET', '/v1/event/upcoming')).json, { data: { events: [], total: 0 } });
    assert.equal((await theirs('GET', '/v1/event/streams/private/events')).json.data.events, []);
    assert.is((await theirs('DELETE', '/v1/event/streams/private')).json.data.deleted, 0);
    assert.is((await get(`/v1/event/${event_id}`)).data.text, 'Secret');
    const foreign = await send(api.base, 'GET', `/v1/event/${event_id}`, {
      token: other.token,
      workspaceId: api.installed.workspaceId,
    });
    assert.is(foreign.status, 403);
    assert.is(foreign.json.error.code, 'workspace_forbidden');
  });
});
