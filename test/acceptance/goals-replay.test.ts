import * as assert from 'uvu/assert';
import { START, type Fact } from '../../domain/fact.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { FIRE, happens } from './discovery.js';
import { change, forecastNow, forecasts, hour, HOUR, move, named, path } from './goals.js';
import { exit, inShockState, watched, type Watched } from './shock.js';
import { deploy, expected, push, refused, type World } from './world.js';

// A goal's forecast made again from what was known when it was issued (open-parts 29.3).

suite('acceptance: forecasts of goals, replayed', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let plain: Json;
  let withEvent: Json;
  let shocked: Json;
  let scheduled = '';
  const SAME = { identical: true, diff: [] };
  const replay = (forecastId: string, api = world.api) =>
    api.post<Json>(path(id, `/forecasts/${forecastId}/replay`));
  const replayed = async ({ forecast_id: of }: Json): Promise<Json> => expected(await replay(of)).data;
  const isTheSame = async (one: Json, what: string) => assert.equal(await replayed(one), SAME, what);

  /** Gives out a forecast once more that differs by this; answers its id. */
  async function issuedAs(
    of: Json,
    newId: string,
    changed: (data: GoalForecastIssued['data']) => object,
  ): Promise<string> {
    const { stores, visible, newId: factId } = world.running.platform;
    const journal = `goal_forecast-${world.running.installed.workspaceId}.`;
    const [fact] = (await stores.events.read(
      journal + of.forecast_id,
      START,
      1,
    )) as Fact<GoalForecastIssued>[];
    const { type, at, meta } = fact!;
    const data = { ...changed(fact!.data), forecastId: newId };
    const written = [{ id: factId(), type, at, meta, data }];
    await visible((await stores.events.append(journal + newId, START, written as never)).position);
    return newId;
  }
  /** Holds a tournament of these models and crowns the one of this name, or this deployment. */
  async function crowned(models: object[], name: string) {
    const start = { models, folds: 3, include_ensembles: name.startsWith('mean') };
    const { data } = expected(await world.api.post<Json>(path(id, '/tournaments'), start), 202);
    const found = path(id, `/tournaments/${data.tournament_id}`);
    const held = await until(async () => {
      const one = expected(await world.api.get<Json>(found)).data;
      return one.status === 'completed' && one;
    }, 'the end of a tournament');
    const { contestant_id } = held.contestants.find(
      (one: Json) => one.name === name || named(one, 'promotion_id')[0] === name,
    );
    expected(await world.api.post<Json>(`${found}/crown`, { contestant_id, reason: 'It shall serve' }));
  }

  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
  });
  test.after(() => world.close());

  test('it is the same to the bit, and nothing is issued or paid for', async () => {
    plain = await forecastNow(world.api, id);
    const [before, balance] = [
      await forecasts(world.api, id),
      expected(await world.api.get<Json>('/v1/billing/balance')).data.credits,
    ];
    for (const one of before) await isTheSame(one, one.trigger);
    assert.equal(await forecasts(world.api, id), before);
    assert.is(expected(await world.api.get<Json>('/v1/billing/balance')).data.credits, balance);
  });

  test('by a deployment, a method and a blend, also once the deployment is retired', async () => {
    const promotion = await deploy(world.api, 'nano');
    await crowned([{ model: promotion }], promotion);
    const deployed = await forecastNow(world.api, id);
    const models = [{ model: 'blueprint__theta' }, { model: 'blueprint__drift' }];
    await crowned(models, 'theta');
    const local = await forecastNow(world.api, id);
    await crowned(models, 'mean of the best 2');
    const blend = await forecastNow(world.api, id);
    const gone = { reason: 'It goes', force: true };
    expected(await world.api.post<Json>(`/v1/deployments/${promotion}/unpromote`, gone));
    assert.is(named(deployed, 'promotion_id')[0], promotion);
    for (const one of [deployed, local, blend]) await isTheSame(one, one.metadata.model?.name);
  });

  test('with the events that were known then, and in a shock', async () => {
    world.later(1_000);
    const due = hour(world) + 3 * HOUR;
    scheduled = await happens(world.api, 'plant.incidents', FIRE, { occurred_at: due });
    withEvent = await forecastNow(world.api, id);
    assert.is(withEvent.metadata.applied_events.length, 1);
    await isTheSame(plain, 'what was not known then moves nothing');
    await isTheSame(withEvent, 'with the event');
    await happens(world.api, 'plant.incidents', FIRE, { occurred_at: world.now() });
    await inShockState(world.api, id, 'shock');
    shocked = await forecastNow(world.api, id);
    assert.is(shocked.metadata.shock.state, 'shock');
    await isTheSame(shocked, 'in the shock');
  });

  test('one that does not say itself what it follows from is taken as the log knew it then', async () => {
    for (const [i, one] of [plain, withEvent, shocked].entries()) {
      const old = await issuedAs(one, `fct_old${i}`, ({ follows: _, ...data }) => data);
      assert.equal(expected(await replay(old)).data, SAME);
    }
  });

  test('whatever became of it: corrected points, other settings, an event and a shock gone', async () => {
    const values = Array.from({ length: 30 }, (_, i) => i * 7);
    await push(world.api, 'plant.output', values, { from: hour(world) - 29 * HOUR, step: HOUR });
    const options = { scheduled_events: false, calibration: 'model', quantiles: [0.2, 0.5] };
    expected(await world.api.delete<Json>(`/v1/event/${scheduled}`));
    expected(await exit(world.api, id));
    expected(await move(world.api, id, 'pause'));
    expected(await change(world.api, id, { horizon: 9, options }));
    for (const one of [plain, withEvent, shocked]) await isTheSame(one, 'paused');
    expected(await move(world.api, id, 'resume'));
    const now = await forecastNow(world.api, id);
    assert.is(now.points.length, 9);
    for (const one of [plain, withEvent, shocked, now]) await isTheSame(one, one.forecast_id);
    // The log alone does not say that an event stood that was deleted since, and that is shown
    const { identical, diff } = expected(await replay('fct_old1')).data;
    assert.not.ok(identical);
    const [event, ...rest] = diff.filter(({ path: at }: Json) => at.startsWith('applied_events'));
    assert.equal([event.path, event.was.eventId, event.is, rest], ['applied_events.0', scheduled, null, []]);
  });

  test('what differs is shown, and a model that is gone is said', async () => {
    const other = await issuedAs(plain, 'fct_other', data => ({
      ...data,
      points: { ...data.points, mean: data.points.mean.map((value, h) => (h === 2 ? value + 1 : value)) },
      lookbackUsed: 7,
    }));
    const { identical, diff } = expected(await replay(other)).data;
    assert.not.ok(identical);
    assert.equal(diff.map(({ path: at }: Json) => at).sort(), ['lookback_used', 'points.mean.2']);
    const moved = diff.find(({ path: at }: Json) => at === 'points.mean.2');
    assert.equal([moved.was, moved.is], [plain.points[2].mean + 1, plain.points[2].mean]);
    const model = {
      ...{ kind: 'served', promotionId: null },
      model: { family: 'presage', slug: 'none', version: '1' },
    };
    const gone = await issuedAs(plain, 'fct_gone', data => ({ ...data, model }));
    refused(await replay(gone), 404, 'model_not_available');
  });

  test('of those alone who may, and that are there', async () => {
    refused(await replay('fct_none'), 404, 'not_found');
    refused(await replay(plain.forecast_id, await world.tenant()), 404, 'not_found');
    refused(await replay(plain.forecast_id, await world.member('viewer')), 403);
    refused(
      await replay(plain.forecast_id, await world.withScopes(['goals.read'])),
      403,
      'insufficient_scope',
    );
    assert.equal(expected(await replay(plain.forecast_id, await world.member('analyst'))).data, SAME);
  });

  test('after a restart, too', async () => {
    await world.restart();
    await until(async () => (await replay(plain.forecast_id)).status === 200, 'serving after the start');
    for (const one of [plain, withEvent, shocked]) await isTheSame(one, one.forecast_id);
  });
});
