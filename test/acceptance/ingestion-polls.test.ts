import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { executions, feedServer, job, paged, pagedConfig, poll, ran, runNow, type Feed } from './feeds.js';
import { LOCAL } from './receivers.js';
import { act, names, source } from './sources.js';
import { expected, openWorld, places, refused, type World } from './world.js';

// Polls: pages, cursors, runs by time and by hand, failures and what follows them (specification 4.7;
// open-parts 6.1, 6.2, 21, 22, 32.6). Readings: a page is `{items, next}` where the paths say so; the cursor
// of a run is the last one that was not null, so the next run begins with the page that it asks for.

const MINUTE = 60_000;

suite('acceptance: polls', test => {
  let world: World;
  let feed: Feed;
  test.before(async () => {
    world = await openWorld(LOCAL);
    feed = await feedServer();
  });
  test.after(async () => {
    feed.close();
    await world.close();
  });

  const at: Feed['at'] = answer => feed.at(answer);

  test('create-event makes a source and a job, and runs at once', async () => {
    const { url, asked } = at(() => ({ body: [{ text: 'Polled', occurred_at: 1_790_000_000 }] }));
    const made = await poll(world.api, { stream: 'polled', url: `${url}?kind=all` });
    assert.equal([made.status, made.mode, made.stream], ['created', 'poll', 'polled']);
    assert.equal(
      [made.webhook_url_events, made.webhook_url_signal, made.webhook_url, made.webhook_secret],
      [null, null, null, null],
    );
    assert.is(made.job_ids.length, 1);
    const run = await ran(world.api, made.job);
    assert.equal([run.status, run.trigger, run.attempt], ['succeeded', 'schedule', 1]);
    assert.equal([run.job_id, run.source_id], [made.job, made.source_id]);
    assert.equal([run.read, run.accepted, run.duplicates, run.rejected, run.error], [1, 1, 0, 0, null]);
    assert.ok(run.bytes > 10);
    assert.ok(run.started_at <= run.finished_at);
    assert.equal(await names(world.api, 'polled'), ['Polled']);
    const [request] = asked();
    assert.equal([request!.method, request!.query.get('kind')], ['GET', 'all']);
    const found = await job(world.api, made.job);
    assert.equal(
      [found.source_id, found.enabled, found.schedule.interval_seconds],
      [made.source_id, true, 300],
    );
    assert.is(found.last_execution_id, run.execution_id);
    assert.ok(Math.abs(Date.parse(found.next_run_at) - Date.parse(run.started_at) - 5 * MINUTE) < MINUTE);
  });

  test('it runs again by its interval, and also by hand', async () => {
    const { url, asked } = at(() => ({ body: [{ text: 'Same', occurred_at: 1 }] }));
    const made = await poll(world.api, { stream: 'interval', url, interval_seconds: 3_600 });
    await ran(world.api, made.job);
    const byHand = await runNow(world.api, made.job);
    assert.equal([byHand.trigger, byHand.status], ['manual', 'succeeded']);
    assert.is(asked().length, 2);
    world.later(61 * MINUTE);
    const third = await ran(world.api, made.job, 3);
    assert.is(third.trigger, 'schedule');
    assert.equal(await names(world.api, 'interval'), ['Same']);
  });

  test('pages are followed, and a run goes on where the last one ended', async () => {
    const pages = [
      [
        { id: 1, text: 'a' },
        { id: 2, text: 'b' },
      ],
      [{ id: 3, text: 'c' }],
      [{ id: 4, text: 'd' }],
    ];
    const { url, asked } = at(paged(pages));
    const made = await poll(world.api, pagedConfig('paged', url));
    const first = await ran(world.api, made.job);
    assert.equal([first.status, first.read, first.accepted], ['succeeded', 4, 4]);
    assert.equal([first.cursor_before, first.cursor_after], [null, '2']);
    assert.equal(
      asked().map(({ query }) => query.get('after')),
      [null, '1', '2'],
    );
    pages[2]!.push({ id: 5, text: 'e' });
    pages.push([{ id: 6, text: 'f' }]);
    await world.restart();
    const second = await runNow(world.api, made.job);
    assert.equal([second.read, second.accepted, second.duplicates], [3, 2, 1]);
    assert.equal([second.cursor_before, second.cursor_after], ['2', '3']);
    assert.equal(
      asked()
        .slice(3)
        .map(({ query }) => query.get('after')),
      ['2', '3'],
    );
    assert.equal(await names(world.api, 'paged'), ['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('a run reads so many pages as are allowed, and a cursor that stands still ends it', async () => {
    const { url, asked } = at(({ query }) => ({
      body: { items: [{ text: 'one' }], meta: { next: Number(query.get('after') ?? 0) + 1 } },
    }));
    const made = await poll(world.api, { ...pagedConfig('endless', url), max_pages: 3 });
    const run = await ran(world.api, made.job);
    assert.equal([run.status, asked().length, String(run.cursor_after)], ['succeeded', 3, '3']);
    const still = at(() => ({ body: { items: [], meta: { next: 'here' } } }));
    const other = await poll(world.api, { ...pagedConfig('still', still.url), max_pages: 50 });
    await ran(world.api, other.job);
    assert.ok(still.asked().length <= 2, `${still.asked().length} pages`);
  });

  test('a page has no cap of a thousand items, and items that are refused make it partial', async () => {
    const items = Array.from({ length: 2_500 }, (_, i) => ({ id: i, text: i % 100 ? `item ${i}` : '' }));
    const { url } = at(() => ({ body: { items } }));
    const made = await poll(world.api, pagedConfig('large', url));
    const run = await ran(world.api, made.job);
    assert.equal([run.status, run.read, run.accepted, run.rejected], ['partial', 2_500, 2_475, 25]);
    assert.is((await source(world.api, made)).status, 'active');
  });

  test('POST with a body, and headers', async () => {
    const { url, asked } = at(() => ({ body: [] }));
    const body = { query: { since: '2026-01-01' } };
    const made = await poll(world.api, { url, method: 'POST', body, headers: { 'x-team': 'blue' } });
    await ran(world.api, made.job);
    const [request] = asked();
    assert.equal([request!.method, JSON.parse(request!.raw)], ['POST', body]);
    assert.match(request!.headers['content-type']!, 'application/json');
    assert.is(request!.headers['x-team'], 'blue');
  });

  test('redirects are followed within the origin, five at most', async () => {
    const hops = (count: number, to = feed.url) => {
      const end = at(() => ({ body: [{ text: `after ${count}`, occurred_at: count }] }));
      let url = end.url.replace(feed.url, to);
      for (let i = 0; i < count; i++) {
        const location = i === 0 ? url : new URL(url).pathname;
        url = at(() => ({ status: 302, headers: { location } })).url;
      }
      return { url, end };
    };
    const five = await poll(world.api, { stream: 'five', url: hops(5).url });
    assert.is((await ran(world.api, five.job)).status, 'succeeded');
    assert.equal(await names(world.api, 'five'), ['after 5']);
    const elsewhere = await feedServer();
    elsewhere.reply(() => ({ body: [{ text: 'stolen' }] }));
    for (const { url, end } of [hops(6), hops(1, elsewhere.url), hops(1, 'http://169.254.169.254')]) {
      const made = await poll(world.api, { stream: 'astray', url, auth: { type: 'bearer', token: 't' } });
      const run = await ran(world.api, made.job, 1, ['retrying']);
      assert.is(run.error.code, 'redirect_refused');
      assert.is(end.asked().length, 0);
      expected(await world.api.post<Json>(`/v1/ingestion/executions/${run.execution_id}/cancel`));
    }
    assert.equal(elsewhere.got, []);
    assert.equal(await names(world.api, 'astray'), []);
    elsewhere.close();
  });

  test('a test of a source reads and shows, and stores nothing', async () => {
    const items = Array.from({ length: 8 }, (_, i) => ({ id: i, text: `seen ${i}` }));
    const { url, asked, reply } = at(() => ({ body: { items } }));
    const made = await poll(world.api, {
      ...pagedConfig('tested', url),
      text_path: 'txt',
      interval_seconds: 86_400,
    });
    await ran(world.api, made.job);
    const before = asked().length;
    const path = `/v1/ingestion/sources/${made.source_id}`;
    expected(await world.api.patch<Json>(path, { event_config: { text_path: 'text' } }));
    const { data } = expected(await act(world.api, made, 'test'));
    assert.is(data.ok, true);
    assert.is(data.sample.length, 5);
    assert.match(JSON.stringify(data.sample), 'seen 4');
    assert.equal(data.warnings, []);
    assert.is(asked().length, before + 1);
    assert.equal(await names(world.api, 'tested'), []);
    assert.is((await executions(world.api, made.job)).length, 1);
    reply(() => ({ status: 500 }));
    const failed = expected(await act(world.api, made, 'test')).data;
    assert.is(failed.ok, false);
    assert.match(JSON.stringify(failed.warnings), '500');
  });

  test('what is wrong in a configuration is named', async () => {
    const create = async (event_config: object) =>
      places(
        await world.api.post<Json>('/v1/ingestion/connect/create-event', {
          mode: 'poll',
          event_config: { url: feed.url, ...event_config },
        }),
      ).map(place => place.replace('body.event_config.', ''));
    for (const [name, values] of Object.entries({
      url: [undefined, '', 'nonsense', 'ftp://127.0.0.1/', 'file:///etc/passwd', 5],
      method: ['DELETE', 'get'],
      interval_seconds: [59, 86_401, 60.5, '300'],
      timeout_seconds: [0, 61],
      max_pages: [0, 51],
      cursor_path: ['a..b'],
    }))
      for (const value of values)
        assert.equal(await create({ [name]: value }), [name], `${name} ${String(value)}`);
    assert.equal(await create({ auth: { type: 'magic' } }), ['auth.type']);
    assert.equal(await create({ auth: { type: 'bearer' } }), ['auth.token']);
    assert.equal(await create({ auth: { type: 'header', name: 'x y', value: '1' } }), ['auth.name']);
  });
});

suite('acceptance: where polls may go', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('private, loopback and other special addresses are refused, however they are written', async () => {
    const feed = await feedServer();
    const { port } = new URL(feed.url);
    for (const url of [
      feed.url,
      `http://localhost:${port}/`,
      `http://[::1]:${port}/`,
      `http://[::ffff:127.0.0.1]:${port}/`,
      `http://2130706433:${port}/`,
      'http://10.1.2.3/',
      'https://169.254.169.254/latest/meta-data/',
      'https://[fd00::1]/',
    ]) {
      const event_config = { url };
      const body = { mode: 'poll', event_config };
      const answer = await world.api.post<Json>('/v1/ingestion/connect/create-event', body);
      assert.is(refused(answer, 422).code, 'address_not_allowed', url);
    }
    const database = { database: 'd', user: 'u', password: 'p', query: 'select 1' };
    const bucket = { bucket: 'b', region: 'eu-central-1', access_key_id: 'a', secret_access_key: 's' };
    const create = (connector_id: string, config: object) =>
      world.api.post<Json>('/v1/ingestion/sources', { connector_id, name: 'Astray', config });
    for (const host of ['127.0.0.1', 'localhost', '10.1.2.3', '::1', '169.254.169.254'])
      refused(
        await create('postgres', { ...database, host, port: Number(port) }),
        422,
        'address_not_allowed',
      );
    for (const endpoint of [feed.url, 'http://10.1.2.3', 'https://169.254.169.254'])
      refused(await create('s3', { ...bucket, endpoint }), 422, 'address_not_allowed');
    assert.equal(feed.got, []);
    assert.is(expected(await world.api.get<Json>('/v1/ingestion/sources')).data.total, 0);
    feed.close();
  });
});
