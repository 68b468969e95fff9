import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { activeGoal, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';

const LENGTH = 60;
const NOW = (START_S + LENGTH * HOUR_S) * 1_000;
const MINUTE = 60_000;
const DAY_S = 24 * HOUR_S;

suite('how late an event may be', test => {
  const folder = temporaryFolder();
  let running: Running;
  let daily = '';
  let eachMinute = '';
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const goal = (cadenceS: number): Promise<string> => activeGoal(running, goalSettings({ cadenceS }));
  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    running = await startPlatform(folder.path, { clock: () => NOW, env });
    await push(
      running,
      'sales',
      hours(LENGTH, i => 100 + (i % 3)),
    );
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  const text = 'Fire destroys the largest plant';
  const item = (key: string, minutesLate: number) => ({
    ...{ key, text: `${text}, ${minutesLate}` },
    occurred_at: NOW - minutesLate * MINUTE,
  });
  const shapeOf = async (eventId: string): Promise<string> =>
    (await call('GET', `/v1/event/${eventId}`)).json.data.shape;
  /** Recorded by itself; its id. */
  const record = async (key: string, minutesLate: number): Promise<string> => {
    const { status, json } = await call('POST', '/v1/event/record', { body: item(key, minutesLate) });
    assert.is(status, 200);
    return json.data.event_id;
  };
  let imported = 0;
  /** In each way that events come in. */
  const shapes = async (minutesLate: number): Promise<string[]> => {
    const alone = await record('alone', minutesLate);
    const body = { events: [item('together', minutesLate)] };
    const [{ event_id: batched }] = (await call('POST', '/v1/event/record-batch', { body })).json.data.events;
    const { platform, installed } = running;
    const once = `evt_imported${imported++}`;
    const { position } = await platform.areas.events.commands.recordOnce(
      installed.workspaceId,
      once,
      { key: 'imported', text, occurredAt: NOW - minutesLate * MINUTE, details: {} },
      {
        ...{ workspace: installed.workspaceId, actor: 'token:test', request: null, at: NOW },
        ...{ correlation: platform.newId(), causation: null },
      },
    );
    await platform.visible(position);
    return Promise.all([alone, batched, once].map(shapeOf));
  };
  const rule = async (goalId: string | null, stream: string): Promise<string> => {
    const body = { name: 'News', kind: 'event', params: { stream, min_importance: 0 }, cooldown_seconds: 0 };
    const path = goalId === null ? '/v1/goals/alerts' : `/v1/goals/${goalId}/alerts`;
    const made = await call('POST', path, { body });
    assert.is(made.status, 201, made.text);
    return made.json.data.alert_id;
  };
  /** The events that made a rule fire, once there is one. */
  const firedBy = (alertId: string): Promise<string[]> =>
    until(async () => {
      const { instances } = (await call('GET', `/v1/goals/alerts/${alertId}/instances`)).json.data;
      return instances.length > 0 && instances.map(({ evidence }: Json) => evidence.event_id);
    }, 'an instance');

  const [fresh, stale] = ['fresh', 'stale'].map(shape => [shape, shape, shape]);

  test('goes by an hour without a goal, then by the shortest cadence of those that are active', async () => {
    assert.equal([await shapes(120), await shapes(121)], [fresh, stale]);
    daily = await goal(DAY_S);
    assert.equal([await shapes(180), await shapes(2 * 24 * 60 + 1)], [fresh, stale]);
    eachMinute = await goal(60);
    assert.equal([await shapes(2), await shapes(90)], [fresh, stale]);
  });

  test('is judged by alerts of a goal by its own cadence, by others by the shape', async () => {
    const rules = [daily, eachMinute, null].map(of => rule(of, 'news'));
    const [ofDaily, ofMinute, ofNone] = (await Promise.all(rules)) as [string, string, string];
    const late = await record('news', 90);
    assert.equal(await firedBy(ofDaily), [late]);
    const now = await record('news', 0);
    assert.equal([await firedBy(ofMinute), await firedBy(ofNone)], [[now], [now]]);
  });

  test('goes on by the others when a goal rests, changes or goes, whose alerts rest with it', async () => {
    const resting = await rule(eachMinute, 'more');
    const paused = await call('POST', `/v1/goals/${eachMinute}/pause`, { body: {} });
    assert.is(paused.status, 200, paused.text);
    assert.equal(await shapes(181), fresh);
    const change = { body: { cadence_s: HOUR_S } };
    assert.is((await call('PATCH', `/v1/goals/${daily}`, change)).status, 200);
    assert.equal(await shapes(182), stale);
    const other = await rule(daily, 'more');
    await record('more', 0);
    await firedBy(other);
    assert.is((await call('GET', `/v1/goals/alerts/${resting}`)).json.data.state, 'normal');
    assert.is((await call('POST', `/v1/goals/${daily}/pause`, { body: {} })).status, 200);
    assert.equal([await shapes(119), await shapes(122)], [fresh, stale]);
  });
});
