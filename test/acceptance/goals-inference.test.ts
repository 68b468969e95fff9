import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { FIRE, goesOn, happens } from './discovery.js';
import { body, change, close, forecastNow, HOUR, hour, made, named, path } from './goals.js';
import { inShockState, watched, type Watched } from './shock.js';
import { at, deploy, expected, places, refused, type World } from './world.js';

// What serves a goal, asked by an inference (open-parts 12, 13.4, 14.4, 29.1, 31): its target as the goal
// forecasts it, with events, shocks and its record; kept, listed, counted, paid for, replayed as any other.

suite('acceptance: inferences of goals', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let plain: Json;
  let withEvent: Json;
  let scheduled = '';
  let due = 0;
  const STREAM = 'plant.incidents';
  const asked = (of: object = {}, task = 'forecast') =>
    world.api.post<Json>(`/v1/inference/${task}`, { goal_id: id, ...of });
  const answered = async (of: object = {}, task = 'forecast'): Promise<Json> =>
    expected(await asked(of, task));
  const replayed = async ({ inference_id: of }: Json): Promise<Json> =>
    expected(await world.api.post<Json>(`/v1/inference/${of}/replay`));
  const isTheSame = async (one: Json) => assert.equal(await replayed(one), { identical: true, diff: [] });
  const record = async ({ inference_id: of }: Json): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/inference/${of}`));
  const means = (one: Json): number[] => one.forecasts[0].points.map((point: Json) => point.mean);
  /** Holds a tournament of these models and crowns the one of this name, or this deployment. */
  const crowned = async (models: object[], name: string, of: object = {}) => {
    const start = { models, folds: 3, include_ensembles: false, ...of };
    const { data } = expected(await world.api.post<Json>(path(id, '/tournaments'), start), 202);
    const found = path(id, `/tournaments/${data.tournament_id}`);
    const held = await until(async () => {
      const one = expected(await world.api.get<Json>(found)).data;
      return one.status === 'completed' && one;
    }, 'the end of a tournament');
    const contestant = held.contestants.find(
      (one: Json) => one.name === name || named(one, 'promotion_id')[0] === name,
    );
    const crown = { contestant_id: contestant.contestant_id, reason: 'It shall serve' };
    expected(await world.api.post<Json>(`${found}/crown`, crown));
  };

  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
  });
  test.after(() => world.close());

  test('it is what the goal itself would be forecast, number by number', async () => {
    const issued = await forecastNow(world.api, id);
    plain = await answered();
    const [one] = plain.forecasts;
    assert.equal(one.points, issued.points);
    assert.equal([plain.goal_id, plain.horizon, plain.step_s], [id, issued.horizon, 3_600]);
    assert.equal([one.id, plain.status], ['plant.output', 'completed']);
    const { served_by, applied_events, skipped_events, shock, calibration } = plain.metadata;
    assert.equal([served_by, applied_events, skipped_events, shock], [issued.served_by, [], 0, null]);
    assert.equal(calibration, issued.metadata.calibration);
    assert.is(plain.metadata.data_cutoff, issued.metadata.data_cutoff);
    assert.is(plain.usage.credits, issued.usage.credits);
    await isTheSame(plain);
    assert.equal((await answered()).forecasts, plain.forecasts, 'once more the same');
  });

  test('horizon and levels are as they are asked for', async () => {
    const found = await answered({ horizon: 9, quantiles: [0.9, 0.2], explain: true });
    const [{ points, explanation }] = found.forecasts;
    assert.equal(Object.keys(points[0].quantiles).sort(), ['0.2', '0.9']);
    assert.is(points.length, 9);
    close(points[0].mean, means(plain)[0]!, 'what is asked beside it changes nothing');
    for (const [h, { mean }] of points.entries())
      close(
        explanation.components.reduce((sum: number, part: Json) => sum + part.points[h], 0),
        mean,
        `step ${h}`,
      );
    await isTheSame(found);
    const tooFar = refused(await asked({ horizon: 1_001 }), 400, 'horizon_above_cap');
    assert.equal([tooFar.details.field, tooFar.details.cap], ['horizon', 1_000]);
  });

  test('goals that are not there, not served, and of others', async () => {
    const nobody = refused(await asked({ goal_id: 'goa_nobody' }), 404, 'not_found');
    assert.is(nobody.details.goal_id, 'goa_nobody');
    const draft = await made(world.api, body('plant.output'));
    const no = refused(await asked({ goal_id: draft }), 409, 'invalid_state');
    assert.equal([no.details.field, no.details.status], ['goal_id', 'draft']);
    const other = await world.tenant();
    const foreign = { goal_id: id, series: [{ start: '2026-01-01', step_s: 60, values: [1, 2, 3] }] };
    refused(await other.post<Json>('/v1/inference/forecast', foreign), 404, 'not_found');
    refused(await other.post<Json>('/v1/inference/forecast', { goal_id: id }), 404, 'not_found');
    const listed = expected(await other.get<Json>(`/v1/inference?goal_id=${id}`));
    assert.equal([listed.inferences, listed.total], [[], 0]);
    refused(await other.get<Json>(`/v1/inference/${plain.inference_id}`), 404);
    assert.equal(places(await asked({ promotion_id: 'prm_1' })), ['body.goal_id']);
  });

  test('a scheduled event within the horizon moves it, and is listed', async () => {
    due = hour(world) + 3 * HOUR;
    world.later(1_000);
    scheduled = await happens(world.api, STREAM, FIRE, { occurred_at: due });
    withEvent = await answered({ explain: true });
    const [one, ...others] = withEvent.metadata.applied_events;
    assert.equal([one.event_id, one.stream, one.occurred_at, others], [scheduled, STREAM, due, []]);
    assert.is(one.edge_id, here.edgeId);
    assert.equal(withEvent.forecasts[0].points, (await forecastNow(world.api, id)).points);
    const by = means(withEvent).map((mean, h) => mean - means(plain)[h]!);
    const times = withEvent.forecasts[0].points.map(({ ts }: Json) => ts);
    for (const [h, moved] of by.entries()) {
      if (times[h] < at(due)) assert.is(moved, 0, times[h]);
      if (times[h] > at(due)) assert.ok(moved < -2, `${times[h]}: ${moved}`);
    }
    const { components } = withEvent.forecasts[0].explanation;
    const events = components.find(({ name }: Json) => name === 'events');
    assert.equal(events.points, by);
    await isTheSame(withEvent);
  });

  test('switched off for one, and for the goal, it is counted and moves nothing', async () => {
    const off = await answered({ scheduled_events: false });
    assert.equal(off.forecasts, plain.forecasts);
    assert.equal([off.metadata.applied_events, off.metadata.skipped_events], [[], 1]);
    expected(await change(world.api, id, { options: { scheduled_events: false } }));
    const ofGoal = await answered();
    assert.equal([ofGoal.forecasts, ofGoal.metadata.skipped_events], [plain.forecasts, 1]);
    expected(await change(world.api, id, { options: { scheduled_events: true } }));
    await isTheSame(off);
    await isTheSame(ofGoal);
  });

  test('as of a moment before it was recorded nothing is known of it', async () => {
    const then = await answered({ as_of: plain.issued_at });
    assert.equal(then.forecasts[0].points, plain.forecasts[0].points);
    assert.equal([then.metadata.as_of, then.metadata.applied_events], [plain.issued_at, []]);
    await isTheSame(then);
    refused(await asked({ as_of: '2001-01-01' }), 404, 'not_found');
  });

  test('other series are forecast by what serves the goal, and moved by nothing of it', async () => {
    const values = Array.from({ length: 60 }, (_, i) => 10 + (i % 12));
    const series = [{ id: 'own', start: '2026-01-01T00:00:00Z', step_s: 3_600, values }];
    const own = await answered({ series });
    assert.equal([own.forecasts[0].id, own.goal_id], ['own', id]);
    assert.equal([own.metadata.applied_events, own.forecasts[0].points.length], [[], 6]);
    const orders = await answered({ key: 'plant.orders' }).catch(() => null);
    assert.is(orders, null, 'a key that is not there');
    await isTheSame(own);
    const same = await answered({ key: 'plant.output' });
    assert.equal(same.metadata.applied_events.length, 1, 'its target by name is its target');
  });

  test('crowned deployments, methods and blends answer, each by itself, and are replayed', async () => {
    const promotion = await deploy(world.api, 'nano');
    await crowned([{ model: promotion }], promotion);
    const deployed = await answered();
    assert.equal([deployed.promotion_id, deployed.metadata.served_by], [promotion, 'champion']);
    const theta = [{ model: 'blueprint__theta' }, { model: 'blueprint__drift' }];
    await crowned(theta, 'theta');
    const local = await answered();
    assert.equal([local.promotion_id, local.model.slug, local.model.name], [null, 'theta', 'theta']);
    await crowned(theta, 'mean of the best 2', { include_ensembles: true });
    const blend = await answered();
    assert.equal([blend.model.family, blend.model.name], ['ensemble', 'mean of the best 2']);
    for (const one of [deployed, local, blend]) {
      assert.is(one.metadata.applied_events.length, 1);
      await isTheSame(one);
    }
    const anomalies = await answered({ window: 5 }, 'anomaly');
    assert.equal([anomalies.goal_id, anomalies.anomalies[0].points.length], [id, 5]);
    await isTheSame(anomalies);
    const backtest = await answered({ windows: 2 }, 'backtest');
    assert.is(backtest.horizon, 6);
    await isTheSame(backtest);
    const no = refused(await asked({}, 'embed'), 400, 'task_not_supported');
    assert.is(no.details.family, 'ensemble');
  });

  test('where the champion is gone the next answers, and says why', async () => {
    const promotion = await deploy(world.api, 'mini');
    await crowned([{ model: promotion }], promotion);
    const before = await answered();
    assert.equal([before.promotion_id, before.model.slug], [promotion, 'mini']);
    expected(
      await world.api.post<Json>(`/v1/deployments/${promotion}/unpromote`, { reason: 'goes', force: true }),
    );
    const after = await answered();
    assert.not.equal(after.metadata.served_by, 'champion');
    assert.is(after.warnings[0].code, 'champion_unavailable');
    await isTheSame(before);
    await isTheSame(after);
  });

  test('it is listed, counted and paid for as of the goal', async () => {
    const all = expected(await world.api.get<Json>('/v1/inference?limit=100'));
    const found = expected(await world.api.get<Json>(`/v1/inference?goal_id=${id}&limit=100`));
    assert.is(found.total, all.total);
    assert.ok(found.inferences.every((row: Json) => row.goal_id === id));
    assert.is(expected(await world.api.get<Json>('/v1/inference?goal_id=goa_other')).total, 0);
    const usage = expected(await world.api.get<Json>('/v1/inference/usage?group_by=goal'));
    assert.equal(
      usage.buckets.map(({ key, calls }: Json) => [key, calls]),
      [[id, found.total]],
    );
    const told = await record(withEvent);
    assert.equal([told.goal_id, told.answer.goal_id, told.request.goal_id], [id, id, id]);
    const charged = await until(async () => {
      const { data } = expected(await world.api.get<Json>('/v1/billing/ledger?per_page=100'));
      return JSON.stringify(data).includes(withEvent.inference_id);
    }, 'the charge');
    assert.ok(charged);
  });

  test('worked on later it is the same', async () => {
    const now = await answered();
    const { inference_id: later } = expected(await asked({ async: true }), 202);
    const done = await until(async () => {
      const one = await record({ inference_id: later });
      return one.status === 'completed' && one;
    }, 'the answer');
    assert.equal(done.answer.forecasts, now.forecasts);
    assert.equal([done.goal_id, done.answer.goal_id], [id, id]);
    await isTheSame(done);
  });

  test('in a shock it is blended as the goal is, and replayed when that is over', async () => {
    await happens(world.api, STREAM, FIRE, { occurred_at: world.now() });
    await inShockState(world.api, id, 'shock');
    const shocked = await answered();
    assert.is(shocked.metadata.shock.state, 'shock');
    close(means(shocked)[0]!, (await forecastNow(world.api, id)).points[0].mean, 'as the goal', 1e-3);
    expected(await world.api.post<Json>(path(id, '/shock/exit'), { reason: 'Over' }));
    await isTheSame(shocked);
    expected(await world.api.delete<Json>(`/v1/event/${scheduled}`));
    await isTheSame(withEvent);
  });

  test('after a restart it reads the same, is replayed, and graded as its hours come', async () => {
    const before = await record(withEvent);
    await world.restart();
    assert.equal(await record(withEvent), before);
    await until(async () => (await asked()).status === 200, 'serving after the start');
    for (const one of [plain, withEvent]) await isTheSame(one);
    for (let i = 1; i <= 7; i++) await goesOn(world, here.of, here.of.now + i);
    const graded = await until(async () => {
      const one = await record(plain);
      return one.status === 'graded' && one;
    }, 'the grade');
    assert.is(graded.grade.graded_steps, 6);
    assert.is(graded.actuals[0].points.length, 6);
    await isTheSame(plain);
  });
});
