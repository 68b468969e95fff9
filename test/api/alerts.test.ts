import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';

const LENGTH = 60;
const HOUR = HOUR_S * 1_000;

suite('alerts over HTTP', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let at = LENGTH;
  let running: Running;
  let goalId: string;
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const open = async (): Promise<void> => {
    running = await startPlatform(folder.path, {
      ...{ clock: () => now, env: { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' } },
      ...(running && { installed: running.installed }),
    });
  };
  test.before(async () => {
    await open();
    await push(
      running,
      'sales',
      hours(LENGTH, i => 100 + (i % 3)),
    );
    goalId = await activeGoal(running, goalSettings());
    await forecastsOf(running, goalId, 1);
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  const below = (rest = ''): string => `/v1/goals/${goalId}/alerts${rest}`;
  const make = async (of: object, path = below()): Promise<Json> => {
    const body = { name: 'A rule', cooldown_seconds: 0, ...of };
    const { status, text, json } = await call('POST', path, { body });
    assert.is(status, 201, text);
    return json.data;
  };
  const rule = async ({ alert_id: id }: Json): Promise<Json> =>
    (await call('GET', `/v1/goals/alerts/${id}`)).json.data;
  const becomes = (made: Json, state: string): Promise<Json> =>
    until(async () => {
      const found = await rule(made);
      return found.state === state && found;
    }, `${made.kind} being ${state}`);
  const instances = async ({ alert_id: id }: Json): Promise<Json[]> =>
    (await call('GET', `/v1/goals/alerts/${id}/instances`)).json.data.instances;
  /** An hour goes by, and this is its value. */
  const hour = async (value: number): Promise<void> => {
    now += HOUR;
    await push(
      running,
      'sales',
      hours(1, () => value, at++),
    );
  };
  const feed = async (kind: string): Promise<Json[]> =>
    (await call('GET', `/v1/notifications?kind=${kind}&per_page=100`)).json.data.notifications;
  const drop = async ({ alert_id: id }: Json): Promise<void> =>
    assert.is((await call('DELETE', below(`/${id}`))).json.status, 'deleted');

  test('data that do not come are stale, and the others have none; then all goes on', async () => {
    const stale = await make({ kind: 'data_stale', params: { cadences: 2 } });
    const over = await make({ kind: 'threshold', params: { value: 150, direction: 'above' } });
    now += 3 * HOUR + 1;
    at += 3;
    await becomes(stale, 'firing');
    await becomes(over, 'no_data');
    await until(async () => (await feed('alert.no_data')).length === 1, 'its being told');
    await hour(100);
    await becomes(over, 'normal');
    await hour(100);
    await hour(100);
    await becomes(stale, 'normal');
    assert.equal(
      (await instances(stale)).map(({ state }) => state),
      ['resolved'],
    );
    await drop(stale);
    await drop(over);
  });
});
