import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, isoOf, push, START_S } from './segments-world.js';

type Point = { ts: string; mean: number; quantiles: Record<string, number> };
type Forecast = {
  forecast_id: string;
  due_at: string | null;
  trigger: string;
  points: Point[];
  served_by: string;
  supersedes: string | null;
  warnings: { code: string }[];
  actuals: { ts: string; value: number }[];
  grade: { metric: string; value: number; coverage: number; graded_steps: number } | null;
  metadata: { calibration: { method: string; n: number; by_step: number[] } };
};

const LENGTH = 120;
const value = (i: number): number => 10 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10;

suite('forecasts of goals', test => {
  const folder = temporaryFolder();
  /** The last point is of this hour. */
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let running: Running;
  let client: Client;
  let workspace: string;
  let goalId: string;

  const open = async (): Promise<void> => {
    running = await startPlatform(folder.path, {
      ...{ clock: () => now, env: { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' } },
      ...(running && { installed: running.installed }),
    });
    const description = (await running.call('GET', '/openapi/v1.json')).json;
    workspace = running.installed.workspaceId;
    client = clientOf(running.base, description, { token: running.installed.token, workspace });
  };
  test.before(async () => {
    await open();
    await push(running, 'sales', hours(LENGTH, value));
    goalId = await activeGoal(running, goalSettings());
  });
  test.after(async () => {
    client.close();
    await running.stop();
    folder.remove();
  });
  const path = (rest: string): string => `/v1/goals/${goalId}${rest}`;
  const read = async <D>(rest: string): Promise<D> => (await client.get<{ data: D }>(path(rest))).body.data;
  const latest = (): Promise<Forecast> => read('/forecasts/latest');

  test('a goal that becomes active is forecast at once, by its champion', async () => {
    await forecastsOf(running, goalId, 1);
    const first = await latest();
    assert.is(first.trigger, 'activation');
    assert.is(first.due_at, null);
    assert.is(first.served_by, 'champion');
    assert.equal(
      first.points.map(({ ts }) => ts),
      [0, 1, 2, 3, 4, 5].map(h => isoOf(START_S + (LENGTH + h) * HOUR_S)),
    );
    assert.equal(Object.keys(first.points[0]!.quantiles), [
      '0.05',
      '0.1',
      '0.25',
      '0.5',
      '0.75',
      '0.9',
      '0.95',
    ]);
    assert.is(first.grade, null);
  });

  test('at each beat there is one more, and grades come with actuals', async () => {
    await push(running, 'sales', hours(1, value, LENGTH));
    now += HOUR_S * 1_000;
    await forecastsOf(running, goalId, 2);
    const [second, first] = (await read<{ forecasts: Forecast[] }>('/forecasts')).forecasts;
    assert.is(second!.due_at, isoOf(START_S + (LENGTH + 1) * HOUR_S));
    assert.is(second!.supersedes, first!.forecast_id);
    const one = () => read<Forecast>(`/forecasts/${first!.forecast_id}`);
    await until(async () => (await one()).grade !== null, 'the first grade');
    const graded = await one();
    assert.equal(graded.actuals, [{ ts: first!.points[0]!.ts, value: value(LENGTH) }]);
    assert.is(graded.grade!.graded_steps, 1);
    assert.equal(graded.points, first!.points);
    const accuracy = await read<Record<string, number>>('/accuracy');
    assert.is(accuracy['graded_steps'], 1);
    assert.is(accuracy['value_7d'], graded.grade!.value);
    // What is corrected is graded anew, and widens no band again
    const record = async () => (await running.platform.areas.forecasts.queries.record(workspace, goalId))!;
    const before = (await record()).tracker;
    await push(
      running,
      'sales',
      hours(1, () => 99, LENGTH),
    );
    await until(async () => (await one()).actuals[0]!.value === 99, 'the correction');
    assert.ok((await one()).grade!.value > graded.grade!.value);
    assert.equal((await record()).tracker, before);
    await push(running, 'sales', hours(1, value, LENGTH));
  });

  test('one by hand is beside the cadence, and two are held against each other', async () => {
    const { status, body } = await client.post<{ data: Forecast }>(path('/forecasts'), {});
    assert.is(status, 201);
    const made = body.data;
    assert.is(made.trigger, 'manual');
    const all = await forecastsOf(running, goalId, 3);
    const [a, b] = [all[2]!.forecast_id, made.forecast_id];
    const compared = await read<{ points: unknown[] }>(`/forecasts/compare?a=${a}&b=${b}`);
    assert.is(compared.points.length, 5);
    const { components } = await read<{ components: { points: number[] }[] }>('/explain');
    made.points.forEach(({ mean }, h) => {
      const sum = components.reduce((all, { points }) => all + points[h]!, 0);
      assert.ok(Math.abs(sum - mean) < 1e-9);
    });
  });

  test('beats that nobody was there for are told of, and the newest is made late', async () => {
    client.close();
    await running.stop();
    now += 5 * HOUR_S * 1_000;
    await open();
    const [newest] = await forecastsOf(running, goalId, 4);
    assert.is(newest!.issued.dueAt, (START_S + (LENGTH + 6) * HOUR_S) * 1_000);
    const timeline = await running.platform.areas.goals.queries.timeline(
      { _id: `${workspace}/${goalId}` },
      { limit: 20, offset: 0 },
    );
    const missed = timeline.items.filter(({ kind }) => kind === 'forecast.missed');
    assert.is(missed.length, 1);
    assert.is(missed[0]!.data['beats'], 4);
  });

  test('another cadence counts from when it was changed on', async () => {
    const daily = await activeGoal(running, goalSettings({ name: 'Daily', cadenceS: 24 * HOUR_S }));
    await forecastsOf(running, daily, 1);
    now += 5 * HOUR_S * 1_000;
    const { status } = await running.call('PATCH', `/v1/goals/${daily}`, { body: { cadence_s: HOUR_S } });
    assert.is(status, 200);
    now += HOUR_S * 1_000;
    const [newest] = await forecastsOf(running, daily, 2);
    assert.is(newest!.issued.dueAt, (START_S + (LENGTH + 12) * HOUR_S) * 1_000);
    const { timeline } = (await running.call('GET', `/v1/goals/${daily}/timeline`)).json.data;
    assert.not.ok(timeline.some(({ kind }: { kind: string }) => kind === 'forecast.missed'));
    await running.call('POST', `/v1/goals/${daily}/pause`, { body: {} });
  });

  test('without a champion a generalist is asked, and past the bound of a month seasonal naive', async () => {
    const none = await activeGoal(running, goalSettings({ name: 'None' }), 'none');
    const [byNano] = await forecastsOf(running, none, 1);
    assert.is(byNano!.issued.servedBy, 'generalist');
    assert.equal(byNano!.issued.warnings[0]!.code, 'no_champion');
    const options = { ...goalSettings().options, maxCreditPerMonth: 0 };
    const poor = await activeGoal(running, goalSettings({ name: 'Poor', options }));
    const [free] = await forecastsOf(running, poor, 1);
    assert.is(free!.issued.servedBy, 'seasonal_naive');
    assert.is(free!.issued.credits, 0);
    assert.ok(free!.issued.warnings.some(({ code }) => code === 'budget_exhausted'));
  });

  test('what is not there is refused', async () => {
    const none = await client.get('/v1/goals/goa_none/forecasts');
    assert.is(none.status, 404);
    assert.is((await client.get(path('/forecasts/fct_none'))).status, 404);
  });
});
