import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import type { Area } from '../../areas/area.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { json, polledServer, type PolledServer } from '../api/polled-server.js';
import { peopleOf } from '../people.js';
import { suite } from '../suite.js';
import { connect, type Told } from './client.js';

type Example = Readonly<Record<string, unknown>>;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(`${root}docs/realtime.md`, 'utf8');
const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text!) as Example,
);
/** What takes a longer story than the one here is not waited for. */
const LONGER = /^(alert|discovery|edge|fleet|scenario)\.|^goal\.(revised|shock_)/;
const exampleOf = (event: string): Example => examples.find(each => each['event'] === event)!;

/** What something is made of: names and kinds, not values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(each => JSON.stringify(shapeOf(each))))].slice(0, 1);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]));
}

suite('docs/realtime.md', test => {
  const folder = temporaryFolder();
  let now = Date.now();
  let api: Running;
  let polled: PolledServer;
  let channel: string;
  test.before(async () => {
    polled = await polledServer(json([]));
    api = await startPlatform(folder.path, {
      clock: () => now,
      env: { OUTGOING_ALLOW: '127.0.0.1' },
    });
    channel = `workspace:${api.installed.workspaceId}`;
  });
  test.after(async () => {
    await api.stop();
    await polled.close();
    folder.remove();
  });

  test('names every event that the areas tell, with an example', () => {
    const told = Object.values<Area>(api.platform.areas)
      .flatMap(({ frames }) => Object.values(frames?.of ?? {}).flat())
      .map(({ event }) => event);
    const shown = [...page.matchAll(/^\| ((?:`[a-z_]+\.[a-z_]+`(?:, )?)+) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([event]) => event),
    );
    assert.equal([...new Set(told)].sort(), shown.sort());
    for (const event of told) assert.ok(exampleOf(event), event);
  });

  test('shows events as they are', async () => {
    const people = peopleOf(api.platform);
    const { token, uid, workspaceId } = api.installed;
    const client = await connect(api.base, { token });
    await client.subscribe(channel, `user:${uid}`);
    const done = async (method: string, path: string, body?: object) => {
      const answer = await api.call(method, path, body && { body });
      assert.ok(answer.status < 300, answer.text);
      return answer.json.data;
    };
    const soon = now + 60_000;
    await done('POST', '/v1/event/record', { key: 'shipping', text: 'A vote', occurred_at: soon });
    await done('POST', '/v1/signal/push', { key: 'shop.visits', value: 1, timestamp: now });
    const person = await people.person('new@example.org');
    await people.join('workspace', workspaceId, person.uid, 'viewer');
    await done('PATCH', `/v1/workspace/${workspaceId}/members/${person.uid}`, { role: 'editor' });
    const made = await done('POST', '/v1/user/api-tokens', { name: 'short' });
    await done('DELETE', `/v1/user/api-tokens/${made.token_id}`);
    const { organizationId } = api.installed;
    const adjusted = { amount: -1, note: null };
    await api.platform.areas.billing.commands.adjust(organizationId, adjusted, people.operator());
    const minutes = Array.from({ length: 90 }, (_, i) => [now - i * 60_000, (i * 7) % 11]);
    await done('POST', '/v1/signal/push', { key: 'shop.carts', values: minutes });
    const segment = await done('POST', '/v1/segment', { name: 'Carts', target: 'shop.carts', step_s: 60 });
    await client.event(told => told.event === 'segment.ready');
    await done('POST', '/v1/signal/push', { key: 'shop.carts', value: 1, timestamp: now + 60_000 });
    const models = [{ model: 'blueprint__naive' }];
    const settings = { segment: segment.segment_id, models, forecast_horizon: 3 };
    await done('POST', '/v1/pipelines', { name: 'Carts', ...settings });
    const goal = await done('POST', '/v1/goals', { name: 'Carts', target: 'shop.carts', horizon: 3 });
    await client.subscribe(`goal:${goal.goal_id}`);
    await done('POST', `/v1/goals/${goal.goal_id}/activate`, { skip_discovery: true });
    const poll = { mode: 'poll', event_config: { url: polled.url, stream: 'polled' } };
    await done('POST', '/v1/ingestion/connect/create-event', poll);
    await done('POST', '/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' });
    now = soon;
    const of = (event: string) => (told: Told) => told.event === event;
    await client.event(told => told.data['previous_status'] === 'deploying');
    for (const { event, data } of examples)
      if (data && !LONGER.test(event as string)) await client.event(of(event as string), event as string);
    for (const told of client.told()) {
      const { data, ...frame } = exampleOf(told.event);
      // The first deployment was none before
      if (told.event === 'deployment.updated' && told.data['previous_status'] === null) continue;
      const { candidate_id: _, ...shown } = told.data;
      // Those of a candidate name it, and those of a cycle their pipeline
      const seen = told.event === 'pipeline.updated' ? shown : told.data;
      const own = told.event === 'training.updated' ? { ...seen, pipeline_id: null } : seen;
      assert.equal(shapeOf(own), shapeOf(data), told.event);
      if (frame['type']) assert.equal(Object.keys(told), Object.keys(exampleOf(told.event)));
    }
    await client.end();
  });

  test('shows frames as they are, and what is refused', async () => {
    const frames = examples.filter(({ type }) => type && type !== 'event');
    const find = (type: string, code?: string) =>
      frames.find(each => each['type'] === type && (code === undefined || each['code'] === code))!;
    const client = await connect(api.base);
    client.send({ ...find('auth'), token: api.installed.token });
    assert.equal(shapeOf(await client.welcome()), shapeOf(find('welcome')));
    const subscribe = { ...find('subscribe'), channels: [channel, 'goal:goa_1'] };
    assert.equal(shapeOf(await client.ask(subscribe)), shapeOf(find('ack')));
    assert.equal(shapeOf(await client.ask(find('ping'))), shapeOf(find('pong')));
    assert.is((await client.ask({ ...find('unsubscribe'), channels: [channel] })).type, 'ack');
    client.send('what?');
    client.send({ type: 'shout' });
    const bad = await until(async () => client.frames.filter(({ code }) => code === 'bad_frame')[1]);
    assert.equal(bad, find('error', 'bad_frame'));
    await client.end();
  });

  test('has a client that works', async () => {
    const [, script] = /```js\n([\s\S]*?)```/.exec(page)!;
    const [, command] = /```sh\n(node [\s\S]*?)\n```/.exec(page)!;
    const { token, workspaceId } = api.installed;
    const env = { ...process.env, API: api.base, TOKEN: token, WORKSPACE: workspaceId };
    assert.match(script!, /new WebSocket/);
    const child = execFile('bash', ['-c', `exec ${command}`], { cwd: root, env });
    let said = '';
    child.stdout!.on('data', text => (said += text));
    child.stderr!.on('data', text => (said += text));
    await until(async () => said.includes('"subscribed":["workspace:'), said);
    await api.call('POST', '/v1/event/record', { body: { key: 'heard', text: 'Strike' } });
    await until(async () => /"event\.recorded".*"heard"/.test(said), said);
    child.kill();
  });
});
