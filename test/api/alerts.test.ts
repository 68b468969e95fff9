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
    const { timeline } = (await call('GET', `/v1/goals/${goalId}/timeline?per_page=100`)).json.data;
    assert.equal(
      timeline.filter(({ data }: Json) => data.alert_id === over.alert_id).map(({ kind }: Json) => kind),
      ['alert.deleted', 'alert.data_back', 'alert.no_data', 'alert.created'],
    );
  });

  test('null clears what may be absent; what is shown can be sent back', async () => {
    const full = await make({
      ...{ kind: 'threshold', params: { value: 150, direction: 'above' }, for_seconds: 60 },
      ...{ severity: 'critical', enabled: false, mute_until: '2030-01-01', cooldown_seconds: 5 },
    });
    const change = (body: object) => call('PATCH', below(`/${full.alert_id}`), { body });
    const back = await change(full);
    assert.equal([back.status, back.json.data.version], [200, full.version], back.text);
    const nothing = {
      ...{ for_seconds: null, severity: null, channels: null, enabled: null, mute_until: null },
      cooldown_seconds: null,
    };
    const { status, text, json } = await change(nothing);
    assert.is(status, 200, text);
    const { for_seconds, severity, channels, enabled, mute_until, cooldown_seconds } = json.data;
    assert.equal([for_seconds, severity, channels, enabled], [0, 'warning', [], true]);
    assert.equal([mute_until, cooldown_seconds], [null, 3_600]);
    for (const body of [{ name: null }, { params: null }, { params: { value: null } }])
      assert.is((await change(body)).status, 422, JSON.stringify(body));
    await drop(full);
    await drop(await make({ ...nothing, kind: 'shock', params: null }));
  });

  test('what a kind is asked with is checked, each member by its name', async () => {
    const wrong = async (of: object, ...named: readonly string[]): Promise<void> => {
      const { status, json } = await call('POST', below(), { body: { name: 'X', ...of } });
      assert.is(status, 422);
      assert.equal(
        json.detail.map(({ loc }: Json) => loc.join('.')),
        named.map(name => `body.${name}`),
      );
    };
    await wrong({ kind: 'threshold' }, 'params.value', 'params.direction');
    const asked = { value: 1, direction: 'up', probability: 1, within_steps: 0.5 };
    const named = ['direction', 'probability', 'within_steps'].map(name => `params.${name}`);
    await wrong({ kind: 'forecast_threshold', params: asked }, ...named);
    const far = { value: 1, direction: 'above', probability: 0.5, within_steps: 7 };
    await wrong({ kind: 'forecast_threshold', params: far }, 'params.within_steps');
    await wrong({ kind: 'shock', channels: ['chn_none'] }, 'channels.0');
    await wrong({ kind: 'shock', mute_until: 'soon' }, 'mute_until');
    await wrong({ kind: 'odd' }, 'kind');
    const free = await call('POST', '/v1/goals/alerts', { body: { name: 'X', kind: 'shock' } });
    assert.equal([free.status, free.json.detail[0].loc], [422, ['body', 'kind']]);
    const { headers } = await call('POST', below(), {
      body: { name: 'X', kind: 'shock', enabled: false, params: { value: 1 } },
    });
    assert.is(headers.get('x-ignored-fields'), 'params.value');
  });

  test('a forecast that probably crosses a value fires, and its instance is taken note of', async () => {
    const params = { value: 1_000, direction: 'below', probability: 0.9, within_steps: 6 };
    const below1000 = await make({ kind: 'forecast_threshold', params, cooldown_seconds: 600 });
    const issued = await call('POST', `/v1/goals/${goalId}/forecasts`, { body: {} });
    assert.is(issued.status, 201, issued.text);
    const { instance_id: id, evidence } = await becomes(below1000, 'firing');
    // That of its cadence may have come first
    const { forecasts } = (await call('GET', `/v1/goals/${goalId}/forecasts`)).json.data;
    assert.ok(forecasts.some((one: Json) => one.forecast_id === evidence.forecast_id));
    assert.ok(evidence.value > 0.99);
    const say = (what: string, body = {}) =>
      call('POST', below(`/${below1000.alert_id}/instances/${id}/${what}`), { body });
    assert.equal((await say('snooze', { until: 1 })).json.detail[0].loc, ['body', 'until']);
    const until = new Date(now + HOUR).toISOString();
    assert.is((await say('snooze', { until })).json.data.snoozed_until, until);
    assert.is((await say('acknowledge')).json.data.state, 'acknowledged');
    assert.is((await rule(below1000)).state, 'acknowledged');
    assert.is((await say('resolve')).json.data.resolved_by, below1000.created_by);
    assert.is((await say('acknowledge')).json.error.code, 'invalid_state');
    assert.is((await rule(below1000)).state, 'resolved');
    await drop(below1000);
  });

  test('events fire when they come, those that are scheduled when they come due', async () => {
    const record = async (text: string, occurredAt: number): Promise<void> => {
      const body = { key: 'news', text, occurred_at: occurredAt };
      assert.is((await call('POST', '/v1/event/record', { body })).status, 200);
    };
    const path = '/v1/goals/alerts';
    const rules = await make({ kind: 'event', params: { stream: 'news', min_importance: 0 } }, path);
    await record('Strike closes all ports of the country', now + HOUR);
    await record('Fire destroys the largest plant', now - 40 * 24 * HOUR);
    await until(async () => {
      const { events } = (await call('GET', '/v1/event/streams/news/events')).json.data;
      return events.length > 0 && events.every(({ status }: Json) => status === 'scored');
    }, 'their scores');
    assert.equal(await instances(rules), [], 'neither what is to come, nor what was long ago');
    now += HOUR;
    await becomes(rules, 'firing');
    const [one] = await instances(rules);
    assert.match(one.message, /Strike closes/);
    assert.ok(one.evidence.event_id);
    const told = await until(
      async () => (await feed('alert.fired')).find(({ data }) => data.instance_id === one.instance_id),
      'its being told',
    );
    assert.equal([told.goal_id, told.link], [null, `/v1/goals/alerts/${rules.alert_id}`]);
    await call('DELETE', `${path}/${rules.alert_id}`);
  });

  test('a test is told as one, and makes nothing', async () => {
    const made = await make({ kind: 'threshold', params: { value: 1, direction: 'below' } });
    const tested = await call('POST', below(`/${made.alert_id}/test`), { body: {} });
    assert.is(tested.json.status, 'ok');
    assert.match(tested.headers.get('ratelimit-policy')!, '"heavy"');
    const told = await until(
      async () => (await feed('alert.fired')).find(({ data }) => data.alert_id === made.alert_id),
      'its being told',
    );
    assert.is(told.data.test, true);
    assert.equal([(await rule(made)).state, await instances(made)], ['normal', []]);
    await drop(made);
  });

  test('what fires goes on after a restart, is told once, and goes with its goal', async () => {
    const made = await make({ kind: 'threshold', params: { value: 150, direction: 'above' } });
    await hour(170);
    const [one] = await until(async () => {
      const found = await instances(made);
      return found.length > 0 && found;
    }, 'its firing');
    await running.stop();
    await open();
    await hour(171);
    await hour(100);
    await hour(100);
    await becomes(made, 'normal');
    const all = await instances(made);
    assert.equal(
      all.map(({ instance_id, state }) => [instance_id, state]),
      [[one.instance_id, 'resolved']],
    );
    await until(async () =>
      (await feed('alert.resolved')).some(({ data }) => data.alert_id === made.alert_id),
    );
    const fired = (await feed('alert.fired')).filter(({ data }) => data.alert_id === made.alert_id);
    assert.equal(
      fired.map(({ count }) => count),
      [1],
    );
    await call('POST', `/v1/goals/${goalId}/pause`, { body: {} });
    assert.is((await call('DELETE', `/v1/goals/${goalId}`)).status, 200);
    await until(async () => (await call('GET', `/v1/goals/alerts/${made.alert_id}`)).status === 404);
    assert.is((await call('GET', '/v1/goals/alerts')).json.data.total, 0);
  });
});
