import * as assert from 'uvu/assert';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { custom, make, pipeline, waves } from './pipelines-world.js';

/** Windows that no test runs in: trained only when somebody asks. */
const LATER = { days: ['monday'], start_time: '03:00', end_time: '03:01', timezone: 'Pacific/Kiritimati' };

suite('pipelines over HTTP', test => {
  const folder = temporaryFolder();
  let running: Running;
  let segment = '';
  let ets = '';
  let theta = '';
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const body = (over: object = {}): object => ({
    ...{ segment, models: [{ model: ets }], training_schedule: LATER },
    ...over,
  });
  const refused = async (over: object, status: number): Promise<{ code: string; text: string }> => {
    const answer = await call('POST', '/v1/pipelines', { body: body(over) });
    assert.is(answer.status, status, answer.text);
    return { code: answer.json.error.code, text: answer.text };
  };
  test.before(async () => {
    running = await startPlatform(folder.path);
    segment = await waves(running);
    [ets, theta] = [await custom(running, 'ets'), await custom(running, 'theta')];
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('one is made with what stands for all that is not named', async () => {
    const made = await make(running, body());
    assert.is(made.name, 'Orders by hour');
    assert.is(made.status, 'idle');
    assert.equal(made.promotion_policy, { mode: 'manual', demote_previous: true, min_improvement: 0 });
    assert.equal(made.retrain_triggers, { on_new_data: null });
    assert.equal(made.budget, { monthly_credit_cap: null });
    assert.is(made.training_schedule.frequency, '86400');
    assert.is(made.models[0].name, 'ets');
    assert.is(made.models[0].status, 'new');
    assert.ok(made.next_run_at);
    assert.equal([made.serving, made.candidate, made.last_cycle, made.version], [null, null, null, 1]);
    assert.equal(await pipeline(running, made.pipeline_id), made);
    const { json } = await call('GET', '/v1/pipelines');
    assert.ok(
      json.data.pipelines.some((each: { pipeline_id: string }) => each.pipeline_id === made.pipeline_id),
    );
    await call('DELETE', `/v1/pipelines/${made.pipeline_id}`);
  });

  test('entries that are the same are one; a lookback tells foundation models apart', async () => {
    const nano = { family: 'presage', slug: 'nano' };
    const models = [
      { model: ets },
      { model: ets },
      nano,
      { model: 'presage__nano' },
      { ...nano, lookback: 64 },
    ];
    const made = await make(running, body({ models, forecast_horizon: 12 }));
    assert.equal(
      made.models.map(({ model_id, intensity, lookback }: Record<string, unknown>) => [
        ...[model_id, intensity, lookback],
      ]),
      [
        [ets, null, null],
        ['presage__nano', 'adapt', made.models[1].lookback],
        ['presage__nano', 'adapt', 64],
      ],
    );
    await call('DELETE', `/v1/pipelines/${made.pipeline_id}`);
  });

  test('what is wrong is named', async () => {
    assert.match((await refused({ models: [] }, 422)).text, /models/);
    assert.match((await refused({ segment: 'seg_none' }, 422)).text, /"segment"/);
    assert.match((await refused({ models: [{ model: 'nothing' }] }, 404)).text, /models\[0\]/);
    assert.match((await refused({ models: [{ family: 'presage' }] }, 422)).text, /"slug"/);
    assert.match((await refused({ models: [{}] }, 422)).text, /"model"/);
    const both = [{ model: ets, family: 'presage', slug: 'nano' }];
    assert.match((await refused({ models: both }, 422)).text, /does not go with/);
    const each = [{ model: ets, forecast_horizon: 3 }];
    assert.match((await refused({ models: each }, 422)).text, /whole pipeline/);
    const far = { models: [{ family: 'presage', slug: 'nano' }], forecast_horizon: 10_000 };
    assert.is((await refused(far, 400)).code, 'horizon_above_cap');
    assert.is((await refused({ models: [{ family: 'none', slug: 'x' }] }, 400)).code, 'family_unavailable');
    const zone = { ...LATER, timezone: 'Nowhere/Here' };
    assert.match((await refused({ training_schedule: zone }, 422)).text, /timezone/);
    assert.match((await refused({ promotion_policy: { mode: 'sometimes' } }, 422)).text, /mode/);
    const often = { ...LATER, frequency: '5' };
    assert.match((await refused({ training_schedule: often }, 422)).text, /must be at least 60/);
    for (const time of [{ start_time: '24:00' }, { end_time: '24:00:01' }, { start_time: '09:00:60' }])
      await refused({ training_schedule: { ...LATER, ...time } }, 422);
  });

  test('PUT replaces whole, PATCH in part, and If-Match is held to what people changed', async () => {
    const made = await make(running, body({ name: 'Mine', promotion_policy: { demote_previous: false } }));
    const path = `/v1/pipelines/${made.pipeline_id}`;
    const patched = await call('PATCH', path, { body: { promotion_policy: { mode: 'auto' } } });
    assert.equal(patched.json.data.promotion_policy, {
      ...{ mode: 'auto', demote_previous: false, min_improvement: 0 },
    });
    assert.equal([patched.json.data.name, patched.json.data.version], ['Mine', 2]);
    const old = { headers: { 'If-Match': `"${made.etag}"` } };
    const late = await call('PATCH', path, { ...old, body: { name: 'Other' } });
    assert.equal([late.status, late.json.error.code], [409, 'version_conflict']);
    const put = await call('PUT', path, { body: body({ models: [{ model: theta }] }) });
    assert.is(put.status, 200, put.text);
    assert.is(put.json.data.promotion_policy.demote_previous, true);
    assert.is(put.json.data.models[0].model_id, theta);
    const cleared = await call('PATCH', path, { body: { training_schedule: null } });
    assert.is(cleared.json.data.training_schedule, null);
    await call('DELETE', path);
    assert.is((await call('GET', path)).status, 404);
  });

  test('PATCH looks at models only where it names them, or another horizon or segment', async () => {
    const nano = { family: 'presage', slug: 'nano' };
    const made = await make(
      running,
      body({ models: [{ ...nano, intensity: 'adapt' }], forecast_horizon: 12 }),
    );
    const path = `/v1/pipelines/${made.pipeline_id}`;
    const patch = (change: object) => call('PATCH', path, { body: change });
    const other = await waves(running, 'shop.visits', 500);
    const { operated } = running.platform.areas.models;
    const operator = peopleOf(running.platform).operator();
    await operated.deprecate(nano, null, operator);
    for (const change of [
      { name: 'Renamed' },
      { budget: { monthly_credit_cap: 5 } },
      { promotion_policy: { mode: 'off' } },
      { forecast_horizon: 12 },
    ]) {
      const { status, text } = await patch(change);
      assert.is(status, 200, text);
    }
    const { name, models } = await pipeline(running, made.pipeline_id);
    assert.equal([name, models], ['Renamed', made.models]);
    for (const change of [{ models: [nano] }, { forecast_horizon: 13 }, { segment: other }]) {
      const { status, json } = await patch(change);
      assert.equal([status, json.error.code], [409, 'MODEL_DEPRECATED']);
    }
    assert.is((await patch({ models: [{ model: ets }] })).status, 200);
    await operated.reinstate(nano, operator);
    assert.is((await patch({ segment: other })).status, 200);
    const { workspaceId } = running.installed;
    const facts = await running.platform.stores.events.read(`pipeline-${workspaceId}.${made.pipeline_id}`);
    const counted = facts.map(({ data }) => (data as { readonly rowsSeen?: number }).rowsSeen);
    assert.equal(
      counted.filter(rows => rows !== undefined),
      [400, 500],
    );
    await call('DELETE', path);
  });

  test('dry_run says what would be, and nothing is', async () => {
    const before = (await call('GET', '/v1/pipelines')).json.data.total;
    const models = [{ model: ets }, { model: theta }];
    const would = await call('POST', '/v1/pipelines?dry_run=true', { body: body({ models }) });
    assert.equal([would.status, would.json.data.cycle_credits], [200, 2], would.text);
    assert.is((await call('GET', '/v1/pipelines')).json.data.total, before);
    const made = await make(running, body());
    const path = `/v1/pipelines/${made.pipeline_id}`;
    const renamed = await call('PATCH', `${path}?dry_run=true`, { body: { name: 'Other' } });
    assert.is(renamed.json.data.name, 'Other');
    const run = await call('POST', `${path}/run?dry_run=true`, { body: {} });
    assert.equal(run.json.data.entries, [{ model_ref: ets, credits: 1, error: null }], run.text);
    const gone = await call('DELETE', `${path}?dry_run=true`);
    assert.equal(gone.json.data, {
      ...{ dry_run: true, pipeline_id: made.pipeline_id, cancelled_trainings: 0 },
      serving_promotion_id: null,
    });
    assert.equal(await pipeline(running, made.pipeline_id), made);
    await call('DELETE', path);
  });

  test('paused: no next run, and asked by hand it is refused', async () => {
    const made = await make(running, body());
    const path = `/v1/pipelines/${made.pipeline_id}`;
    const paused = (await call('POST', `${path}/pause`)).json.data;
    assert.equal([paused.status, paused.next_run_at], ['paused', null]);
    assert.is((await call('POST', `${path}/run`, { body: {} })).json.error.code, 'pipeline_paused');
    const resumed = (await call('POST', `${path}/resume`)).json.data;
    assert.equal([resumed.status, resumed.next_run_at], ['idle', made.next_run_at]);
    await call('DELETE', path);
  });

  test('a decision where nothing is pending, and what is no decision', async () => {
    const made = await make(running, body());
    const path = `/v1/pipelines/${made.pipeline_id}/promotion-decision`;
    const none = await call('POST', path, { body: { decision: 'approve' } });
    assert.equal([none.status, none.json.error.code], [409, 'no_pending_decision']);
    assert.is((await call('POST', path, { body: { decision: 'perhaps' } })).status, 422);
    assert.is((await call('POST', path, { body: { decision: 'defer' } })).status, 422);
    const late = { decision: 'defer', until: '2020-01-01T00:00:00Z' };
    assert.is((await call('POST', path, { body: late })).status, 422);
    await call('DELETE', `/v1/pipelines/${made.pipeline_id}`);
  });

  test('the plan has a cap, paused ones count, and the segment is in use', async () => {
    const made = [await make(running, body()), await make(running, body()), await make(running, body())];
    await call('POST', `/v1/pipelines/${made[0].pipeline_id}/pause`);
    const more = await call('POST', '/v1/pipelines', { body: body() });
    assert.equal([more.status, more.json.error.code], [403, 'pipeline_limit_reached']);
    const { limit, used, plan } = more.json.error.details;
    assert.equal([limit, used, plan], [3, 3, 'free']);
    const quota = (await call('GET', '/v1/billing/quota')).json.data.quotas;
    assert.is(quota.find(({ name }: { name: string }) => name === 'pipelines').used, 3);
    const gone = await call('DELETE', `/v1/segment/${segment}`);
    assert.equal([gone.status, gone.json.error.code], [409, 'IN_USE']);
    for (const { pipeline_id } of made) await call('DELETE', `/v1/pipelines/${pipeline_id}`);
  });

  test('a schedule is looked ahead at: gaps, midnight, clocks that jump', async () => {
    const preview = async (training_schedule: object, from: string, count = 3): Promise<string[]> => {
      const sent = { body: { training_schedule, from, count } };
      const { status, text, json } = await call('POST', '/v1/pipelines/schedule/preview', sent);
      assert.is(status, 200, text);
      return json.data.runs;
    };
    const night = { days: ['friday'], start_time: '23:00', end_time: '01:00', frequency: '3600' };
    assert.equal(await preview(night, '2026-11-23T00:00:00Z'), [
      ...['2026-11-27T23:00:00.000Z', '2026-11-28T00:00:00.000Z', '2026-12-04T23:00:00.000Z'],
    ]);
    const berlin = { days: ['sunday'], start_time: '02:30', end_time: '04:00', timezone: 'Europe/Berlin' };
    // Clocks jump from 2:00 to 3:00 on 2026-03-29, and show 2:30 twice on 2026-10-25
    assert.equal(await preview(berlin, '2026-03-23T00:00:00Z', 1), ['2026-03-29T01:00:00.000Z']);
    assert.equal(await preview(berlin, '2026-10-20T00:00:00Z', 1), ['2026-10-25T00:30:00.000Z']);
    assert.equal(await preview({ days: [] }, '2026-11-23T00:00:00Z'), []);
    const exact = { days: ['monday'], start_time: '09:00:31', end_time: '24:00', frequency: '43200' };
    assert.equal(await preview(exact, '2026-11-23T00:00:00Z', 2), [
      ...['2026-11-23T09:00:31.000Z', '2026-11-23T21:00:31.000Z'],
    ]);
  });

  test('times are shown as they were given, seconds where there are some', async () => {
    const shown = async (times: object): Promise<string[]> => {
      const { pipeline_id, training_schedule } = await make(
        running,
        body({ training_schedule: { ...LATER, ...times } }),
      );
      await call('DELETE', `/v1/pipelines/${pipeline_id}`);
      return [training_schedule.start_time, training_schedule.end_time];
    };
    assert.equal(await shown({ start_time: '09:00:00', end_time: '17:30:07' }), ['09:00', '17:30:07']);
    assert.equal(await shown({ start_time: '23:59:59', end_time: '24:00' }), ['23:59:59', '00:00']);
  });

  test('the goal that names it is the newest that is not archived', async () => {
    const made = await make(running, body());
    const id = made.pipeline_id;
    assert.is(made.goal_id, null);
    const goal = async (pipeline_id: string | null): Promise<string> => {
      const said = { name: 'Orders', target: 'shop.orders', horizon: 12, pipeline_id };
      return (await call('POST', '/v1/goals', { body: said })).json.data.goal_id;
    };
    const first = await goal(id);
    await goal(null);
    assert.is((await pipeline(running, id)).goal_id, first);
    const second = await goal(id);
    assert.is((await pipeline(running, id)).goal_id, second);
    await call('POST', `/v1/goals/${second}/archive`);
    assert.is((await call('GET', '/v1/pipelines')).json.data.pipelines[0].goal_id, first);
    await call('DELETE', `/v1/pipelines/${id}`);
  });

  test('what begins at once, or by hand, for no more than the caller is ready to pay', async () => {
    const dear = async (path: string, sent: object): Promise<void> => {
      const { status, json } = await call('POST', path, { body: { ...sent, max_credits: 1.5 } });
      assert.equal([status, json.error.code], [402, 'price_above_max']);
      const { price, max_credits, rates_version } = json.error.details;
      assert.equal([price, max_credits, typeof rates_version], [2, 1.5, 'string']);
    };
    const models = [{ model: ets }, { model: theta }];
    await dear('/v1/pipelines', body({ models, training_schedule: null }));
    // With windows nothing begins now
    const made = await make(running, body({ models, max_credits: 1.5 }));
    await dear(`/v1/pipelines/${made.pipeline_id}/run`, {});
    await call('DELETE', `/v1/pipelines/${made.pipeline_id}`);
  });
});
