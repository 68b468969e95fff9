import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { activeGoal, goalSettings } from './forecasts-world.js';
import { hours, push } from './segments-world.js';

suite('goals over HTTP', test => {
  const folder = temporaryFolder();
  let running: Running;
  let later = 0;
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const body = (over: object = {}): object => ({
    ...{ name: 'Orders', target: 'shop.orders', horizon: 24 },
    ...over,
  });
  const made = async (over: object = {}): Promise<Json> => {
    const { status, text, json } = await call('POST', '/v1/goals', { body: body(over) });
    assert.is(status, 201, text);
    return json.data;
  };
  const goal = async (id: string): Promise<Json> => (await call('GET', `/v1/goals/${id}`)).json.data;
  /** The plan has room for few. */
  const gone = async (id: string): Promise<void> =>
    assert.is((await call('DELETE', `/v1/goals/${id}`)).status, 200);
  test.before(async () => {
    running = await startPlatform(folder.path, { clock: () => Date.now() + later });
    await push(
      running,
      'shop.orders',
      hours(60, i => i % 24),
    );
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('the step is that of the target, the cadence that of the step', async () => {
    const found = await made();
    assert.equal([found.step_s, found.cadence_s, found.status], [3_600, 3_600, 'draft']);
    assert.equal((await made({ step_s: 86_400 })).cadence_s, 86_400);
    await call('POST', '/v1/signal/push', { body: { key: 'lonely', values: [[1_767_225_600, 1]] } });
    const { status, text } = await call('POST', '/v1/goals', { body: body({ target: 'lonely' }) });
    assert.is(status, 422);
    assert.match(text, /"step_s"/);
  });

  test('a cadence that is the step’s follows it, another one stays', async () => {
    const { goal_id: id } = await made({ step_s: 3_600 });
    const change = async (over: object): Promise<number[]> => {
      const { status, text, json } = await call('PATCH', `/v1/goals/${id}`, { body: over });
      assert.is(status, 200, text);
      return [json.data.step_s, json.data.cadence_s];
    };
    assert.equal(await change({ name: 'X' }), [3_600, 3_600]);
    assert.equal(await change({ step_s: 86_400 }), [86_400, 86_400]);
    assert.equal(await change({ step_s: 3_600, cadence_s: 86_400 }), [3_600, 86_400]);
    assert.equal(await change({ step_s: 7_200 }), [7_200, 86_400]);
    assert.equal(await change({ cadence_s: null }), [7_200, 7_200]);
    assert.equal(await change({ step_s: null }), [3_600, 3_600]);
    await gone(id);
  });

  test('null clears what may be absent; what is shown can be sent back', async () => {
    const nothing = {
      ...{ description: null, objective: null, objective_params: null, step_s: null, cadence_s: null },
      ...{ timezone: null, metric: null, candidates: null, options: null, tags: null },
      ...{ segment_id: null, pipeline_id: null },
    };
    const settingsOf = (of: Json): Json => Object.keys(nothing).map(name => of[name]);
    const plain = await made();
    const bare = await made(nothing);
    const usual = settingsOf(plain);
    assert.equal(settingsOf(bare), usual);
    const full = await made({
      ...{ description: 'D', objective: 'threshold', step_s: 7_200, cadence_s: 86_400, tags: ['a'] },
      objective_params: { value: 5, direction: 'above', by: '2030-01-01T00:00:00Z' },
      ...{ timezone: 'Europe/Berlin', metric: 'mae' },
      candidates: { signals: ['shop.orders'], event_streams: ['news'], exclude: ['x'] },
      options: {
        ...{ scheduled_events: false, shock_enabled: false, importance_bar: 0.5, auto_discovery: 'off' },
        ...{ auto_tournament: 'off', quantiles: [0.1, 0.9], calibration: 'model', fallback: 'none' },
        max_credit_per_month: 7,
      },
    });
    const change = (over: object) => call('PATCH', `/v1/goals/${full.goal_id}`, { body: over });
    const back = await change(full);
    assert.is(back.status, 200, back.text);
    assert.equal(back.json.data, full);
    for (const name of ['name', 'target', 'horizon'])
      assert.is((await change({ [name]: null })).status, 422, name);
    assert.match((await change({ objective_params: { value: null } })).text, /"objective_params","value"/);
    const cleared = await change(nothing);
    assert.is(cleared.status, 200, cleared.text);
    assert.equal(settingsOf(cleared.json.data), usual);
    await change(full);
    const inside = (of: object) => Object.fromEntries(Object.keys(of).map(name => [name, null]));
    const within = await change({
      ...{ ...nothing, objective_params: inside(full.objective_params), options: inside(full.options) },
      candidates: inside(full.candidates),
    });
    assert.equal(settingsOf(within.json.data), usual, within.text);
    for (const { goal_id: id } of [plain, bare, full]) await gone(id);
  });

  test('what it is built on must be there', async () => {
    for (const [name, value] of [
      ['target', 'nobody'],
      ['segment_id', 'seg_none'],
      ['pipeline_id', 'pip_none'],
    ] as const) {
      const { status, text } = await call('POST', '/v1/goals', { body: body({ [name]: value }) });
      assert.is(status, 422, text);
      assert.match(text, `"${name}"`);
    }
    const threshold = await call('POST', '/v1/goals', { body: body({ objective: 'threshold' }) });
    assert.match(threshold.text, /"objective_params","value"/);
  });

  test('a dry run makes, changes and deletes nothing', async () => {
    const before = (await call('GET', '/v1/goals')).json.data.total;
    const would = await call('POST', '/v1/goals?dry_run=true', { body: body() });
    assert.equal([would.status, would.json.data.status], [200, 'draft']);
    const { goal_id: id } = await made();
    const path = `/v1/goals/${id}?dry_run=true`;
    assert.is((await call('PATCH', path, { body: { name: 'X' } })).json.data.name, 'X');
    assert.equal((await call('DELETE', path)).json.data, { dry_run: true, goal_id: id });
    assert.is((await goal(id)).name, 'Orders');
    assert.is((await call('GET', '/v1/goals')).json.data.total, before + 1);
  });

  test('it is not activated where its tournament would cost more than max_credits', async () => {
    const { goal_id: id } = await made();
    const { status, json } = await call('POST', `/v1/goals/${id}/activate`, { body: { max_credits: 0 } });
    assert.equal([status, json.error.code], [402, 'price_above_max']);
    const { price, rates_version } = json.error.details;
    assert.ok(price > 0 && typeof rates_version === 'string');
    assert.is((await goal(id)).status, 'draft');
    await call('DELETE', `/v1/goals/${id}`);
  });

  test('activated it becomes active; its timeline says how, the newest first', async () => {
    const { goal_id: id } = await made({ tags: ['a', 'a', 'b'] });
    await call('PATCH', `/v1/goals/${id}`, { body: { cadence_s: 7_200, objective: 'maximize' } });
    const { status, json } = await call('POST', `/v1/goals/${id}/activate`, { body: {} });
    assert.equal([status, json.data.poll_url], [202, `/v1/goals/${id}`]);
    const found = await until(async () => {
      const each = await goal(id);
      return each.status === 'active' && each;
    }, 'its being active');
    assert.ok(found.activated_at);
    const { data } = (await call('GET', `/v1/goals/${id}/timeline`)).json;
    const kinds = data.timeline.map(({ kind }: Json) => kind);
    const steps = [
      ...['goal.activated', 'goal.discovered', 'goal.activating', 'goal.changed', 'goal.created'],
    ];
    assert.equal(
      kinds.filter((kind: string) => steps.includes(kind)),
      steps,
    );
    const changed = data.timeline.find(({ kind }: Json) => kind === 'goal.changed');
    assert.equal(changed.data, { changed: ['objective', 'cadence_s'] });
    const { timeline } = (await call('GET', `/v1/goals/${id}/timeline?per_page=1&page=2`)).json.data;
    assert.equal(timeline, [data.timeline[1]]);
    const signal = (await call('GET', '/v1/signal?search=shop.orders')).json.data.signals[0];
    assert.ok(signal.in_use_by.goals >= 1);
    const { quotas } = (await call('GET', '/v1/billing/quota')).json.data;
    const { total } = (await call('GET', '/v1/goals')).json.data;
    assert.is(quotas.find(({ name }: Json) => name === 'goals').used, total);
  });

  test('a target that gets no data for ten cadences is stale until some come', async () => {
    await push(
      running,
      'shop.visits',
      hours(60, i => i % 24),
    );
    const { goal_id: id } = await made({ target: 'shop.visits' });
    await call('POST', `/v1/goals/${id}/activate`, { body: { skip_discovery: true } });
    const becomes = (isStale: boolean) =>
      until(async () => {
        const { status, health, health_reasons: reasons } = await goal(id);
        return status === 'active' && (health === 'failing') === isStale && reasons;
      }, `its being stale: ${isStale}`);
    assert.not.ok((await becomes(false)).includes('target_stale'));
    later += 10 * 3_600_000 + 60_000;
    assert.ok((await becomes(true)).includes('target_stale'));
    await push(running, 'shop.visits', [[1_767_225_600, 5]]);
    assert.not.ok((await becomes(false)).includes('target_stale'));
  });

  test('what a goal names stays as long as it does', async () => {
    const recipe = { name: 'Table', target: 'shop.orders', step_s: 3_600 };
    const { segment_id } = (await call('POST', '/v1/segment', { body: recipe })).json.data;
    const { goal_id: id } = await made({ segment_id });
    const refused = await call('DELETE', `/v1/segment/${segment_id}`);
    assert.equal([refused.status, refused.json.error.details.goal_ids], [409, [id]]);
    assert.is((await call('PATCH', `/v1/goals/${id}`, { body: { segment_id: null } })).status, 200);
    assert.is((await call('DELETE', `/v1/segment/${segment_id}`)).status, 200);
  });

  test('models compete for it again each week, where it is wanted', async () => {
    const { goal_id: id } = await made({ options: { auto_tournament: 'weekly' } });
    await call('POST', `/v1/goals/${id}/activate`, { body: { skip_discovery: true } });
    const held = async (kind: string): Promise<Json[]> => {
      const { timeline } = (await call('GET', `/v1/goals/${id}/timeline?per_page=100`)).json.data;
      return timeline.filter((each: Json) => each.kind === kind);
    };
    await until(async () => (await goal(id)).status === 'active', 'its being active');
    assert.equal(
      (await held('tournament.started')).map(({ data }) => data.trigger),
      ['activation'],
    );
    later += 7 * 86_400_000;
    const started = await until(async () => {
      const found = await held('tournament.started');
      return found.length === 2 && found;
    }, 'a second tournament');
    assert.is(started[0].data.trigger, 'schedule');
    await until(async () => (await held('tournament.completed')).length === 2, 'its end');
  });

  test('where no champion can be found models compete ever later, and the goal says when', async () => {
    await push(
      running,
      'shop.few',
      hours(20, i => i % 24),
    );
    const options = { ...goalSettings().options, autoTournament: 'on_drift' as const };
    const id = await activeGoal(running, goalSettings({ target: 'shop.few', options }), 'none');
    const rest = async (from: string): Promise<number> =>
      (Date.parse((await goal(id)).next_tournament_at) - Date.parse(from)) / 3_600_000;
    const failed = async (count: number): Promise<Json> => {
      const found = async (): Promise<Json[]> => {
        const { timeline } = (await call('GET', `/v1/goals/${id}/timeline?per_page=100`)).json.data;
        return timeline.filter(({ kind }: Json) => kind.startsWith('tournament.'));
      };
      await until(async () => (await found()).length === 2 * count, `${count} tournaments`);
      const [end, start] = await found();
      assert.equal([end!.kind, end!.data.code], ['tournament.failed', 'insufficient_history']);
      return start!;
    };
    assert.is(await rest((await goal(id)).activated_at), 1);
    for (const [i, hoursOn] of [1, 1, 2].entries()) {
      later += hoursOn * 3_600_000;
      assert.is(await rest((await failed(i + 1)).at), 2 ** i);
    }
    assert.is((await call('PATCH', `/v1/goals/${id}`, { body: { name: 'Few' } })).status, 200);
    assert.is(await rest((await failed(3)).at), 1, 'what was changed may help');
    const off = { options: { auto_tournament: 'off' } };
    assert.is((await call('PATCH', `/v1/goals/${id}`, { body: off })).status, 200);
    assert.is((await goal(id)).next_tournament_at, null);
  });
});
