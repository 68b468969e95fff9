import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  execution,
  executions,
  feedServer,
  job,
  pagedConfig,
  poll,
  ran,
  runNow,
  type Feed,
} from './feeds.js';
import { item } from './inbox.js';
import { LOCAL } from './receivers.js';
import { connect } from './socket.js';
import { act, names, pointsOf, source } from './sources.js';
import { expected, openWorld, places, refused, tokenOf, type World } from './world.js';

// Runs of polls: tried again, cancelled, told, switched off; and a source that fails (open-parts 6.1, 6.2,
// 21, 22, 32.6).

const MINUTE = 60_000;

suite('acceptance: runs of polls', test => {
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

  test('a failure is tried again after 1, 5 and 25 minutes, and then it has failed', async () => {
    const { url, asked, reply } = at(() => ({ status: 503, body: 'closed' }));
    const made = await poll(world.api, { ...pagedConfig('failing', url), interval_seconds: 86_400 });
    const first = await ran(world.api, made.job, 1, ['retrying']);
    assert.equal([first.attempt, asked().length], [1, 1]);
    assert.match(first.error.message, '503');
    assert.type(first.error.code, 'string');
    let attempts = 1;
    for (const minutes of [1, 5, 25]) {
      world.later((minutes - 0.5) * MINUTE);
      await world.api.get('/v1/ingestion/jobs');
      assert.is(asked().length, attempts, `not before ${minutes} minutes`);
      world.later(0.6 * MINUTE);
      attempts++;
      await until(async () => asked().length === attempts, `attempt ${attempts}`);
      await until(async () => {
        const found = await execution(world.api, first.execution_id);
        return found.attempt === attempts && ['retrying', 'failed'].includes(found.status);
      }, `the end of attempt ${attempts}`);
    }
    const run = await ran(world.api, made.job);
    assert.equal([run.status, run.attempt, run.execution_id], ['failed', 4, first.execution_id]);
    reply(() => ({ body: { items: [{ id: 1, text: 'Well again' }] } }));
    world.later(86_400_000);
    const next = await ran(world.api, made.job, 2);
    assert.equal([next.status, next.attempt], ['succeeded', 1]);
    assert.equal(await names(world.api, 'failing'), ['Well again']);
  });

  test('what was read before a failure is not lost, and is not there twice', async () => {
    let broken = true;
    const { url, asked } = at(({ query }) => {
      const page = Number(query.get('after') ?? 0);
      if (page === 2 && broken) return { status: 500, body: {} };
      return {
        body: {
          items: [{ text: `page ${page}`, occurred_at: page }],
          meta: { next: page < 3 ? page + 1 : null },
        },
      };
    });
    const { id_path: _, ...plain } = pagedConfig('broken', url);
    const made = await poll(world.api, plain);
    await ran(world.api, made.job, 1, ['retrying']);
    broken = false;
    await world.restart();
    world.later(1.1 * MINUTE);
    const run = await ran(world.api, made.job);
    assert.equal([run.status, run.attempt], ['succeeded', 2]);
    assert.equal(await names(world.api, 'broken'), ['page 0', 'page 1', 'page 2', 'page 3']);
    const after = asked().map(({ query }) => query.get('after'));
    assert.equal(after.slice(0, 3), [null, '1', '2']);
    assert.equal(after.at(-1), '3');
  });

  test('answers that are no list of items fail by name: not JSON, too large, never', async () => {
    const huge = Buffer.from(`[{"text":"${'x'.repeat(21_000_000)}"}]`);
    for (const [answer, names_] of [
      [() => ({ body: '<html>' }), /JSON/],
      [() => ({ body: huge }), /20|large|limit/i],
      [() => ({ hang: true }), /time|second|1 s/i],
    ] as const) {
      const made = await poll(world.api, { url: at(answer).url, timeout_seconds: 1 });
      const run = await ran(world.api, made.job, 1, ['retrying', 'failed']);
      assert.match(run.error.message, names_);
      if (run.status === 'retrying')
        expected(await world.api.post<Json>(`/v1/ingestion/executions/${run.execution_id}/cancel`));
    }
  });

  test('a run under way is cancelled, and none begins beside it', async () => {
    const { url, reply } = at(() => ({ hang: true }));
    const made = await poll(world.api, { url, timeout_seconds: 60 });
    const run = await ran(world.api, made.job, 1, ['running']);
    refused(await world.api.post<Json>(`/v1/ingestion/jobs/${made.job}/run`), 409);
    const cancel = () => world.api.post<Json>(`/v1/ingestion/executions/${run.execution_id}/cancel`);
    assert.is(expected(await cancel()).status, 'cancelled');
    const over = await ran(world.api, made.job);
    assert.is(over.status, 'cancelled');
    assert.match(over.finished_at, /Z$/);
    refused(await cancel(), 409);
    reply(() => ({ body: [] }));
    assert.is((await runNow(world.api, made.job)).status, 'succeeded');
    assert.is((await executions(world.api, made.job)).length, 2);
  });

  test('listeners hear of runs', async () => {
    const { token } = await tokenOf(world.api, ['workspaces.read', 'data.read']);
    const socket = await connect(world.running.base, token);
    await socket.subscribe(`workspace:${world.running.installed.workspaceId}`);
    const made = await poll(world.api, { url: at(() => ({ body: [{ text: 'heard' }] })).url });
    const { data } = await socket.heard(
      'ingestion.execution_updated',
      frame => frame.data.source_id === made.source_id && frame.data.status === 'succeeded',
    );
    assert.is(data.accepted, 1);
    assert.is((await execution(world.api, data.execution_id)).status, 'succeeded');
    socket.close();
  });

  test('jobs are listed, changed, switched off and deleted', async () => {
    const { url, asked } = at(() => ({ body: [] }));
    const made = await poll(world.api, { url });
    await ran(world.api, made.job);
    const path = `/v1/ingestion/jobs/${made.job}`;
    const { jobs, total } = expected(await world.api.get<Json>('/v1/ingestion/jobs?per_page=100')).data;
    assert.ok(total >= 1 && jobs.some((each: Json) => each.job_id === made.job));
    expected(await world.api.patch<Json>(path, { schedule: { interval_seconds: 600 } }));
    assert.is((await job(world.api, made.job)).schedule.interval_seconds, 600);
    expected(await world.api.patch<Json>(path, { enabled: false }));
    const off = await job(world.api, made.job);
    assert.equal([off.enabled, off.next_run_at], [false, null]);
    const faulty = await world.api.patch<Json>(path, { schedule: { interval_seconds: 59 } });
    assert.equal(places(faulty), ['body.schedule.interval_seconds']);
    const create = { source_id: made.source_id, schedule: { interval_seconds: 86_400 }, enabled: false };
    const second = expected(await world.api.post<Json>('/v1/ingestion/jobs', create), 201).data;
    assert.equal([second.enabled, second.source_id], [false, made.source_id]);
    assert.ok((await source(world.api, made)).job_ids.includes(second.job_id));
    const unknown = await world.api.post<Json>('/v1/ingestion/jobs', { ...create, source_id: 'src_nobodys' });
    assert.ok([404, 422].includes(unknown.status), unknown.text);
    expected(await world.api.delete<Json>(path));
    refused(await world.api.get<Json>(path), 404);
    const before = asked().length;
    world.later(3_600_000);
    const other = await poll(world.api, { url: at(() => ({ body: [] })).url });
    await ran(world.api, other.job);
    assert.is(asked().length, before, 'neither one that is off nor one that is gone runs');
    expected(await world.api.delete<Json>(`/v1/ingestion/sources/${other.source_id}`));
    refused(await world.api.post<Json>(`/v1/ingestion/jobs/${other.job}/run`), 404);
  });

  test('a paused source is not polled', async () => {
    const { url, asked } = at(() => ({ body: [{ load: 1 }] }));
    const made = await poll(world.api, { url });
    await ran(world.api, made.job);
    const before = asked().length;
    expected(await act(world.api, made, 'pause'));
    world.later(6 * MINUTE);
    const other = await poll(world.api, { url: at(() => ({ body: [] })).url });
    await ran(world.api, other.job);
    assert.is(asked().length, before);
    expected(await act(world.api, made, 'resume'));
    world.later(6 * MINUTE);
    await until(async () => asked().length > before, 'the poll after the pause');
    assert.is(await pointsOf(world.api, 'events.load'), null, 'create-event polls events');
  });
});

suite('acceptance: a poll that fails for good', test => {
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

  const all = async (): Promise<Json[]> =>
    expected(await world.api.get<Json>('/v1/ingestion/executions?per_page=100')).data.executions;
  /** Waits until so many runs were tried so often, and none is under way. */
  const tried = (count: number, attempt: number) =>
    until(async () => {
      const found = (await all()).filter(run => run.attempt >= attempt && run.error !== null);
      return found.length >= count && found.every(({ status }) => ['retrying', 'failed'].includes(status));
    }, `${count} runs tried ${attempt} times`);

  test('twenty runs that failed make the source failing, and one that works makes it well', async () => {
    const { url, reply } = at(() => ({ status: 404, body: 'gone' }));
    const schedule = { interval_seconds: 86_400 };
    const made = await poll(world.api, { url, ...schedule });
    const status = async () => (await source(world.api, made)).status;
    const more = async (count: number) => {
      for (let i = 0; i < count; i++)
        expected(
          await world.api.post<Json>('/v1/ingestion/jobs', { source_id: made.source_id, schedule }),
          201,
        );
    };
    const spent = async (count: number) => {
      for (const [i, minutes] of [1, 5, 25].entries()) {
        await tried(count, i + 1);
        world.later((minutes + 0.1) * MINUTE);
      }
      await tried(count, 4);
    };
    await more(18);
    await spent(19);
    assert.is(await status(), 'active', 'after 19');
    await more(1);
    await spent(20);
    await until(async () => (await status()) === 'failing', 'being failing');
    const told = await item(world.api, 'ingestion.source_failing');
    assert.is(told.data.source_id, made.source_id);
    reply(() => ({ body: [] }));
    assert.is((await runNow(world.api, made.job)).status, 'succeeded');
    await until(async () => (await status()) === 'active', 'being active again');
  });
});
