import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { push } from './segments-world.js';

const MONTH_S = 2_629_746;
/** The first of a month, counted from January 2020, as a zone west of Greenwich has it. */
const first = (month: number, hours = 0): number => Date.UTC(2020, month, 1, hours);
const LENGTH = 66;
const passengers = (i: number): number => (100 + i) * (1 + 0.2 * Math.sin((i * Math.PI) / 6));
const iso = (time: number): string => new Date(time).toISOString();

/** A goal whose target has a value each month, from its making to a scenario, as its months are. */
suite('goals of months over HTTP', test => {
  const folder = temporaryFolder();
  let now = first(LENGTH) + 60_000;
  let running: Running;
  let id: string;
  const call = async (method: string, path: string, body?: object, status = 200): Promise<Json> => {
    const answer = await running.call(method, path, body ? { body } : {});
    assert.is(answer.status, status, JSON.stringify(answer.json));
    return answer.json.data ?? answer.json;
  };
  const open = async (): Promise<void> => {
    running = await startPlatform(folder.path, {
      ...{ clock: () => now, env: { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' } },
      ...(running && { installed: running.installed }),
    });
  };
  test.before(async () => {
    await open();
    const points = Array.from({ length: LENGTH }, (_, i) => [first(i) / 1_000, passengers(i)] as const);
    await push(running, 'air.passengers', points);
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('the target says that its steps are months; it is forecast for each of the next ones', async () => {
    const given = { name: 'Passengers', target: 'air.passengers', horizon: 6, objective: 'forecast' };
    const goal = await call('POST', '/v1/goals', { ...given, options: { auto_tournament: 'off' } }, 201);
    id = goal.goal_id;
    assert.equal([goal.step_s, goal.step_months, goal.cadence_s], [MONTH_S, 1, MONTH_S]);
    await call('POST', `/v1/goals/${id}/activate`, { skip_discovery: true }, 202);
    await until(async () => (await call('GET', `/v1/goals/${id}`)).status === 'active', 'activated');
    const [made] = await forecastsOf(running, id, 1);
    assert.equal(
      made!.issued.points.times.map(iso),
      [0, 1, 2, 3, 4, 5].map(h => iso(first(LENGTH + h))),
    );
    made!.issued.points.mean.forEach((mean, h) => {
      const off = Math.abs(mean / passengers(LENGTH + h) - 1);
      assert.ok(off < 0.1, `${mean} of ${passengers(LENGTH + h)}`);
    });
  });

  test('the next beat is the first of the next month, and what came is graded', async () => {
    await push(running, 'air.passengers', [[first(LENGTH) / 1_000, passengers(LENGTH)]]);
    now = first(LENGTH + 1) + 60_000;
    const [second, before] = await forecastsOf(running, id, 2);
    assert.is(iso(second!.issued.dueAt!), iso(first(LENGTH + 1)));
    assert.is(iso(second!.issued.points.times[0]!), iso(first(LENGTH + 1)));
    const old = async () => call('GET', `/v1/goals/${id}/forecasts/${before!.forecast_id}`);
    await until(async () => (await old()).grade !== null, 'the grade');
    assert.equal((await old()).actuals, [{ ts: iso(first(LENGTH)), value: passengers(LENGTH) }]);
    const timeline = (await call('GET', `/v1/goals/${id}/timeline`)).timeline as Json[];
    assert.not.ok(timeline.some(({ kind }) => kind === 'forecast.missed'));
  });

  test('a forecast is made again to the bit, also after a restart', async () => {
    await running.stop();
    await open();
    for (const { forecast_id: forecast } of await forecastsOf(running, id, 2)) {
      const again = await call('POST', `/v1/goals/${id}/forecasts/${forecast}/replay`, {});
      assert.equal([again.identical, again.diff], [true, []]);
    }
  });

  test('inferences that name it, and series of a request, are on months', async () => {
    const months = [1, 2, 3].map(h => iso(first(LENGTH + h)));
    const byGoal = await call('POST', '/v1/inference/forecast', { goal_id: id, horizon: 3 });
    assert.equal(
      byGoal.forecasts[0].points.map(({ ts }: Json) => ts),
      months,
    );
    const values = Array.from({ length: LENGTH + 1 }, (_, i) => passengers(i));
    const series = [{ start: iso(first(0)), step_s: MONTH_S, values }];
    const inline = await call('POST', '/v1/inference/forecast', { goal_id: id, horizon: 3, series });
    assert.equal([inline.step_s, inline.forecasts[0].points.map(({ ts }: Json) => ts)], [MONTH_S, months]);
    for (const { inference_id: inference } of [byGoal, inline])
      assert.equal((await call('POST', `/v1/inference/${inference}/replay`)).identical, true);
  });

  test('a scenario counts months', async () => {
    const window = { from: iso(first(LENGTH + 2)), to: iso(first(LENGTH + 5)) };
    const assumptions = [{ kind: 'signal_set', key: 'air.passengers', values: [200, 210, 220], ...window }];
    const asked = { body: { name: 'Set', assumptions } };
    const { json } = await running.call('POST', `/v1/goals/${id}/scenarios`, asked);
    const path = `/v1/goals/${id}/scenarios/${json.data.scenario_id}`;
    await until(
      async () => !['queued', 'running'].includes((await call('GET', path)).status),
      'the scenario',
    );
    const run = await call('GET', path);
    const means = run.points.map(({ mean }: Json) => mean);
    assert.equal(means.slice(1, 4), [200, 210, 220]);
    assert.is(run.delta[0].mean, 0, 'the month before the window is as it was');
  });

  test('one that was made before there were months keeps steps of one length', async () => {
    const settings = { ...goalSettings({ name: 'Before', target: 'air.passengers' }), stepS: MONTH_S };
    const old = await activeGoal(running, { ...settings, cadenceS: MONTH_S });
    const [made] = await forecastsOf(running, old, 1);
    const { times } = made!.issued.points;
    assert.is(times[2]! - times[1]!, MONTH_S * 1_000);
    await call('PATCH', `/v1/goals/${old}`, { name: 'Still so', step_s: MONTH_S });
    assert.is((await call('GET', `/v1/goals/${old}`)).step_months, null);
  });
});
