import * as assert from 'uvu/assert';
import { MINUTE, SECOND } from '../../domain/time.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';
import { json, paging, pagingConfig, polledServer, status, type PolledServer } from './polled-server.js';

const EXECUTIONS = '/v1/ingestion/executions';
const OVER = ['succeeded', 'partial', 'failed', 'cancelled'];

suite('sources that are polled', test => {
  let world: IngestionApi;
  let server: PolledServer;
  let streams = 0;
  test.before(async () => {
    world = await ingestionApi({ env: { OUTGOING_ALLOW: '127.0.0.1' } });
  });
  test.after(() => world.close());
  test.before.each(async () => {
    server = await polledServer(json([]));
  });
  test.after.each(() => server.close());

  const made = async (event_config: object = {}) => {
    const stream = `polled-${++streams}`;
    const body = { mode: 'poll', event_config: { url: server.url, stream, ...event_config } };
    const answer = await world.client.post<Json>('/v1/ingestion/connect/create-event', body);
    assert.is(answer.status, 200, answer.text);
    const { source_id: source, job_ids } = answer.body.data;
    return { stream, source: source as string, job: job_ids[0] as string, answer: answer.body.data };
  };
  /** The runs of a job, newest first, once there are so many and the newest is in one of the states. */
  const runs = (job: string, count: number, states = OVER): Promise<readonly Json[]> =>
    until(
      async () => {
        const { executions } = await world.read(`${EXECUTIONS}?job_id=${job}`);
        return executions.length >= count && states.includes(executions[0].status) ? executions : null;
      },
      `${count} runs of ${job}, ${states.join(' or ')}`,
    );
  const textsOf = async (stream: string) => (await world.events(stream)).map(({ text }) => text);

  test('made by create-event they are asked at once, and again by their interval', async () => {
    server.answers(json([{ text: 'one', occurred_at: 1_760_000_000 }]));
    const { stream, source, job, answer } = await made({ interval_seconds: 60 });
    const { status: made_, kind, mode, webhook_url, webhook_secret, message } = answer;
    assert.equal([made_, kind, mode, webhook_url, webhook_secret], ['created', 'event', 'poll', null, null]);
    assert.ok(message);
    const [first] = await runs(job, 1);
    const { trigger, status: ended, attempt, read, accepted, rejected, error } = first!;
    assert.equal([trigger, ended, attempt, read, accepted, rejected], ['schedule', 'succeeded', 1, 1, 1, 0]);
    assert.is(error, null);
    assert.equal(await textsOf(stream), ['one']);
    const shown = await world.read(`/v1/ingestion/sources/${source}`);
    assert.equal(
      [shown.mode, shown.status, shown.job_ids, shown.has_secret],
      ['poll', 'active', [job], false],
    );
    assert.equal([shown.counters_24h.deliveries, shown.counters_24h.accepted], [1, 1]);
    const path = `/v1/ingestion/jobs/${job}`;
    const { etag } = (await world.client.get(path)).headers;
    const before = await world.read(path);
    assert.equal([before.enabled, before.schedule], [true, { interval_seconds: 60 }]);
    assert.is(Date.parse(before.next_run_at) - Date.parse(first!.created_at), MINUTE);
    world.clock.now += MINUTE;
    await runs(job, 2);
    assert.is(server.asked.length, 2);
    assert.is((await world.client.get(path, { 'if-none-match': etag! })).status, 200, 'it ran meanwhile');
    const change = (enabled: boolean) => world.client.patch<Json>(path, { enabled }, { 'if-match': etag! });
    assert.is((await change(false)).status, 200, 'what happens by itself refuses nobody');
    const late = await change(true);
    assert.equal([late.status, late.body.error.details.version], [409, 1]);
    const refused = await world.deliver({ source_id: source, webhook_secret: 'x' }, {});
    assert.equal([refused.status, refused.body.error.message], [400, 'Source is not a webhook']);
  });

  test('pages follow each other, the next run goes on at the last cursor, ids are taken once', async () => {
    server.answers(paging(5));
    const { stream, job } = await made(pagingConfig);
    const [first] = await runs(job, 1);
    assert.equal([first!.cursor_before, first!.cursor_after, first!.read], [null, 4, 5]);
    server.answers(paging(8));
    world.clock.now += 300 * SECOND;
    const [second] = await runs(job, 2);
    const { cursor_before, cursor_after, read, accepted, duplicates } = second!;
    assert.equal([cursor_before, cursor_after, read, accepted, duplicates], [4, 6, 4, 3, 1]);
    assert.equal(
      server.asked.map(({ url }) => url),
      [...['/items', '/items?after=2', '/items?after=4', '/items?after=4', '/items?after=6']],
    );
    assert.equal(
      await textsOf(stream),
      [0, 1, 2, 3, 4, 5, 6, 7].map(n => `text ${n}`),
    );
  });

  test('items that are not taken make a run partial, and are named', async () => {
    server.answers(json([{ text: 'good' }, { text: '' }, 5]));
    const { job } = await made();
    const [run] = await runs(job, 1);
    assert.equal([run!.status, run!.accepted, run!.rejected], ['partial', 1, 2]);
    assert.equal(
      run!.errors.map(({ index, field }: Json) => [index, field]),
      [
        ...[
          [1, 'text'],
          [2, 'text'],
        ],
      ],
    );
  });

  test('who fails is asked again after 1, 5 and 25 minutes; who recovers is read', async () => {
    server.answers(status(503));
    const { stream, job } = await made();
    const attempts = async (attempt: number, states: string[]) =>
      until(
        async () => (await runs(job, 1, states))[0]!.attempt === attempt && (await runs(job, 1, states))[0],
      );
    for (const [index, pause] of [1, 5, 25].entries()) {
      const run = await attempts(index + 1, ['retrying']);
      assert.equal(run.error, { code: 'http_status', message: 'The address answered 503' });
      assert.is(Date.parse(run.retry_at) - world.clock.now, pause * MINUTE);
      if (index === 1) await server.goesAway();
      world.clock.now += pause * MINUTE;
      if (index === 1) {
        await attempts(3, ['retrying']);
        await server.comesBack();
        server.answers(json([{ text: 'back' }]));
      }
      if (index === 1) break;
    }
    world.clock.now += 25 * MINUTE;
    const [run] = await runs(job, 1, ['succeeded']);
    assert.equal([run!.attempt, run!.accepted, run!.retry_at], [4, 1, null]);
    assert.equal(await textsOf(stream), ['back']);
  });

  test('four attempts, then it has failed; the next run is by the schedule', async () => {
    server.answers(json('{'));
    server.answers(response => response.end('{'));
    const { source, job } = await made({ interval_seconds: 86_400 });
    for (const pause of [1, 5, 25]) {
      await runs(job, 1, ['retrying']);
      const [run] = await runs(job, 1, ['retrying']);
      const { attempt } = run!;
      world.clock.now += pause * MINUTE;
      await until(async () => (await runs(job, 1, [...OVER, 'retrying']))[0]!.attempt > attempt);
    }
    const [failed] = await runs(job, 1, ['failed']);
    assert.equal([failed!.attempt, failed!.error.code], [4, 'invalid_json']);
    const { code } = await until(
      async () => (await world.read(`/v1/ingestion/sources/${source}`)).last_error,
      'what the source failed of',
    );
    assert.is(code, 'invalid_json');
  });

  test('a run by hand, never beside another; cancelled it ends at once', async () => {
    const waiting: (() => void)[] = [];
    server.answers(response => {
      waiting.push(() => response.end('[]'));
    });
    const { job } = await made();
    await until(async () => waiting.length === 1);
    const refused = await world.client.post<Json>(`/v1/ingestion/jobs/${job}/run`);
    assert.equal([refused.status, refused.body.error.code], [409, 'execution_running']);
    const [open] = await runs(job, 1, ['running']);
    assert.is(refused.body.error.details.execution_id, open!.execution_id);
    const cancelled = await world.client.post<Json>(`${EXECUTIONS}/${open!.execution_id}/cancel`);
    assert.equal(
      [cancelled.status, cancelled.body.status, cancelled.body.data.status],
      [...[200, 'cancelled', 'cancelled']],
    );
    const again = await world.client.post<Json>(`${EXECUTIONS}/${open!.execution_id}/cancel`);
    assert.equal([again.status, again.body.error.code], [409, 'invalid_state']);
    const started = await world.client.post<Json>(`/v1/ingestion/jobs/${job}/run`);
    assert.equal([started.status, started.body.status], [202, 'queued']);
    await until(async () => waiting.length === 2, 'the connection of the first is left');
    waiting[1]!();
    const [second] = await runs(job, 2);
    assert.equal([second!.trigger, second!.status], ['manual', 'succeeded']);
    const polled = await world.client.get<Json>(started.body.data.poll_url);
    assert.is(polled.body.data.execution_id, second!.execution_id);
  });

  test('a paused source is not asked, nor by hand; resumed it is', async () => {
    const { source, job } = await made();
    await runs(job, 1);
    await world.client.post(`/v1/ingestion/sources/${source}/pause`);
    assert.is((await world.read(`/v1/ingestion/jobs/${job}`)).next_run_at, null);
    const refused = await world.client.post<Json>(`/v1/ingestion/jobs/${job}/run`);
    assert.equal([refused.status, refused.body.error.code], [409, 'source_paused']);
    world.clock.now += 300 * SECOND;
    await world.client.post(`/v1/ingestion/sources/${source}/resume`);
    await runs(job, 2);
    assert.is(server.asked.length, 2);
  });

  test('secrets are sent, and shown nowhere', async () => {
    const { source, job } = await made({
      auth: { type: 'bearer', token: 'hunter2' },
      headers: { 'X-Own': 'hunter3' },
    });
    await runs(job, 1);
    const { authorization, 'x-own': own } = server.asked[0]!.headers;
    assert.equal([authorization, own], ['Bearer hunter2', 'hunter3']);
    const path = `/v1/ingestion/sources/${source}`;
    const { text, body } = await world.client.get<Json>(path);
    assert.not.match(text, /hunter/);
    assert.equal(body.data.config.auth, { type: 'bearer', token: '***' });
    const changed = await world.client.patch<Json>(path, {
      config: { auth: { type: 'bearer', token: '***' }, headers: { 'X-Own': '***', 'X-New': 'hunter4' } },
    });
    assert.is(changed.status, 200, changed.text);
    await world.client.post(`/v1/ingestion/jobs/${job}/run`);
    await runs(job, 2);
    const again = server.asked[1]!.headers;
    assert.equal(
      [again.authorization, again['x-own'], again['x-new']],
      ['Bearer hunter2', 'hunter3', 'hunter4'],
    );
    for (const listed of ['/v1/ingestion/sources', `${EXECUTIONS}?job_id=${job}`])
      assert.not.match((await world.client.get(listed)).text, /hunter/);
  });

  test('it goes on after a restart', async () => {
    const { job } = await made();
    await runs(job, 1);
    await world.restart();
    world.clock.now += 300 * SECOND;
    await runs(job, 2);
  });
});
