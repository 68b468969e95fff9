import * as assert from 'uvu/assert';
import { SECOND } from '../../domain/time.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';
import { json, polledServer, status, type PolledServer } from './polled-server.js';

const SOURCES = '/v1/ingestion/sources';
const JOBS = '/v1/ingestion/jobs';
const EXECUTIONS = '/v1/ingestion/executions';

suite('what becomes of polls, and what is shown of them', test => {
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
    const stream = `ends-${++streams}`;
    const body = { mode: 'poll', event_config: { url: server.url, stream, ...event_config } };
    const answer = await world.client.post<Json>('/v1/ingestion/connect/create-event', body);
    assert.is(answer.status, 200, answer.text);
    const { source_id: source, job_ids } = answer.body.data;
    return { stream, source: source as string, job: job_ids[0] as string };
  };
  const newest = async (job: string): Promise<Json> =>
    (await world.read(`${EXECUTIONS}?job_id=${job}`)).executions[0];
  const ended = (job: string, states: readonly string[]): Promise<Json> =>
    until(async () => {
      const run = await newest(job);
      return run && states.includes(run.status) && run;
    }, states.join(' or '));

  test('with a source go its jobs and runs, and what is under way is left', async () => {
    let [waiting, left] = [0, 0];
    server.answers(response => {
      waiting++;
      response.once('close', () => left++);
    });
    const { source, job } = await made();
    await until(async () => waiting === 1);
    const { execution_id } = await ended(job, ['running']);
    assert.is((await world.client.delete(`${SOURCES}/${source}`)).status, 200);
    await until(async () => left === 1, 'the connection is left');
    for (const path of [`${EXECUTIONS}/${execution_id}`, `${JOBS}/${job}`])
      assert.is((await world.client.get(path)).status, 404);
    assert.is((await world.client.post(`${JOBS}/${job}/run`)).status, 404);
    assert.is((await world.read(`${JOBS}?source_id=${source}`)).total, 0);
  });

  test('the audit tells who made, changed and ran jobs, and not what runs by itself', async () => {
    const { job } = await made({ interval_seconds: 86_400 });
    await ended(job, ['succeeded']);
    await world.client.patch(`${JOBS}/${job}`, { enabled: false });
    server.answers(() => undefined);
    const { body } = await world.client.post<Json>(`${JOBS}/${job}/run`);
    await world.client.post(`${EXECUTIONS}/${body.data.execution_id}/cancel`);
    assert.is((await world.client.delete(`${JOBS}/${job}`)).status, 200);
    const workspace = world.api.installed.workspaceId;
    const deeds = await until<readonly string[]>(async () => {
      const { entries } = await world.read(`/v1/workspace/${workspace}/audit?per_page=100`);
      const its = (entries as Json[]).filter(each => JSON.stringify(each).includes(job.slice(4)));
      return its[0]?.action === 'JobDeleted' && its.map(({ action }) => action as string);
    }, 'the audit');
    const expected = ['SourceCreated', 'JobCreated', 'JobChanged', 'ExecutionQueued', 'ExecutionEnded'];
    assert.equal(deeds, [...expected, 'JobDeleted'].reverse());
  });

  test('what is wrong is told of the kind of auth that is meant, and of hosts that are none', async () => {
    const faults = async (path: string, body: object): Promise<readonly string[]> => {
      const answer = await world.client.post<Json>(path, body);
      assert.is(answer.status, 422, answer.text);
      return answer.body.detail.map(({ loc }: { loc: string[] }) => loc.slice(2).join('.'));
    };
    const create = '/v1/ingestion/connect/create-event';
    for (const [auth, place] of [
      [{ type: 'header', name: 'X Y', value: '1' }, 'auth.name'],
      [{ type: 'bearer' }, 'auth.token'],
      [{ type: 'magic' }, 'auth.type'],
      [{}, 'auth.type'],
      [5, 'auth'],
    ] as const)
      assert.equal(await faults(create, { mode: 'poll', event_config: { url: server.url, auth } }), [place]);
    const at = { database: 'd', user: 'u', query: 'SELECT 1', ssl: 'disable' };
    for (const host of [
      '/var/run/postgresql',
      '0',
      '127.1',
      '2130706433',
      'a@127.0.0.1',
      'a,b',
      '0x7f.1',
      'x:1',
    ])
      assert.equal(await faults(SOURCES, { connector_id: 'postgres', config: { ...at, host } }), ['host']);
  });

  test('in an archived workspace nothing is asked; restored it is', async () => {
    const { job } = await made();
    await ended(job, ['succeeded']);
    const workspace = `/v1/workspace/${world.api.installed.workspaceId}`;
    const { name } = await world.read(workspace);
    const archive = { method: 'DELETE', path: workspace, body: { confirm: name } };
    assert.is((await world.client.send(archive)).status, 200);
    const { length } = server.asked;
    world.clock.now += 300 * SECOND;
    const looked = await world.client.get<Json>(JOBS);
    assert.is(looked.body.error.code, 'workspace_archived');
    // Another one is made and asked meanwhile
    const other = await world.people.tenant('other@example.org');
    const client = world.clientFor({ token: other.token, workspaceId: other.workspaceId });
    const elsewhere = await polledServer(json([]));
    const body = { mode: 'poll', event_config: { url: elsewhere.url } };
    assert.is((await client.post('/v1/ingestion/connect/create-event', body)).status, 200);
    await until(async () => elsewhere.asked.length === 1);
    await elsewhere.close();
    assert.is(server.asked.length, length);
    assert.is((await world.client.post(`${workspace}/restore`)).status, 200);
    await until(async () => server.asked.length > length, 'asked again');
  });

  test('a source that is tried is asked for one page, and nothing is stored', async () => {
    server.answers(json({ items: [{ id: 1, text: '' }], next: 5 }));
    const paged = { array_path: 'items', cursor_path: 'next', cursor_param: 'after', max_pages: 1 };
    const { source, stream, job } = await made({ ...paged, interval_seconds: 86_400 });
    await ended(job, ['partial']);
    const texts = Array.from({ length: 7 }, (_, n) => ({ text: `item ${n}` }));
    server.answers(json({ items: texts, next: 6 }));
    const path = `${SOURCES}/${source}/test`;
    const tried = async () => (await world.client.post<Json>(path, {})).body.data;
    const { ok, sample, warnings } = await tried();
    assert.equal([ok, sample.length, sample[0].text, warnings], [true, 5, 'item 0', []]);
    assert.equal(
      server.asked.map(({ url }) => url),
      ['/items', '/items'],
    );
    server.answers(status(502));
    assert.equal(await tried(), { ok: false, sample: [], warnings: ['The address answered 502'] });
    assert.equal(await world.events(stream), []);
    assert.is((await world.read(`${EXECUTIONS}?job_id=${job}`)).total, 1);
  });
});
