import * as assert from 'uvu/assert';
import { START, type Fact } from '../../domain/fact.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';
import { AMPLITUDE, becomes, edgeOf, goalOf, record, shocksOf } from './shocks-world.js';

const LENGTH = 120;
const HOUR = HOUR_S * 1_000;
const value = (i: number): number => 50 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10;
const options = { ...goalSettings().options, importanceBar: 0.1 };
const TEXT = 'Fire destroys the main warehouse, all deliveries are halted, losses are huge';
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

suite('shocks of goals', test => {
  const folder = temporaryFolder();
  /** The last point is of this hour; it has just ended. */
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let running: Running;
  let client: Client;
  let goalId: string;
  let edgeId: string;

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    running = await startPlatform(folder.path, { clock: () => now, env });
    const description = (await running.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = running.installed;
    client = clientOf(running.base, description, { token, workspace });
    await push(running, 'sales', hours(LENGTH, value));
    goalId = await activeGoal(running, goalSettings({ options }));
    edgeId = await edgeOf(running, goalId, 'news');
    await forecastsOf(running, goalId, 1);
  });
  test.after(async () => {
    client.close();
    await running.stop();
    folder.remove();
  });
  const path = (rest: string): string => `/v1/goals/${goalId}${rest}`;
  const read = async (rest: string): Promise<Json> => (await client.get<Json>(path(rest))).body.data;
  /** At a moment of its own. */
  const happens = (body: object = {}): Promise<string> => {
    now += 1_000;
    return record(running, { key: 'news', text: TEXT, ...body });
  };
  const shocked = (eventId: string): Promise<Json> =>
    until(async () => {
      const { causes = [] } = (await goalOf(running, goalId)).shock ?? {};
      if (!causes.some((one: Json) => one.event_id === eventId)) return null;
      const { forecasts } = await read('/forecasts');
      const at = new Date(now).toISOString();
      return forecasts.find((one: Json) => one.trigger === 'shock' && one.issued_at === at);
    }, `a forecast after ${eventId}`);
  const notified = (kind: string): Promise<Json> =>
    until(async () => {
      const { notifications } = (await client.get<Json>(`/v1/notifications?kind=${kind}`)).body.data;
      return notifications[0];
    }, kind);

  test('what an event would do is said, and nothing changes', async () => {
    const ask = async (body: object): Promise<Json> =>
      (await client.post<Json>(path('/shock/simulate'), body)).body.data;
    const would = await ask({ stream: 'news', importance: 0.9 });
    assert.ok(would.would_enter);
    assert.is(would.shock_state_after, 'shock');
    assert.is(would.edge_id, edgeId);
    assert.equal(would.shock.weights, { champion: 0.4, generalist: 0.25, response: 0.35 });
    const [made] = (await read('/forecasts')).forecasts;
    const effect = (h: number): number => AMPLITUDE * 2 ** (-h / 4);
    would.response.forEach((one: Json, h: number) => {
      assert.is(one.ts, made.points[h].ts, 'a forecast that is made now begins there');
      near(one.effect, effect(h));
    });
    assert.is((await ask({ stream: 'news', importance: 0.05 })).reason, 'below_bar');
    await happens({ key: 'quiet' });
    assert.is((await ask({ stream: 'quiet', importance: 0.9 })).reason, 'no_acting_edge');
    const unknown = await client.post<Json>(path('/shock/simulate'), { stream: 'other', importance: 0.9 });
    assert.is(unknown.status, 422);
    assert.equal(unknown.body.detail[0].loc, ['body', 'stream']);
    const old = { stream: 'news', importance: 0.9, occurred_at: now - 3 * HOUR };
    assert.is((await ask(old)).reason, 'stale');
    assert.is((await ask({ ...old, occurred_at: now + HOUR })).shape, 'scheduled');
    assert.is((await client.post(path('/shock/simulate'), { stream: 'news', importance: 2 })).status, 422);
    assert.is((await goalOf(running, goalId)).shock_state, 'normal');
    assert.equal(await shocksOf(running, goalId), []);
  });

  test('stale events and future ones begin none; the latter move forecasts beforehand', async () => {
    await record(running, { key: 'news', text: TEXT, occurred_at: now - 3 * HOUR });
    const plain = (await client.post<Json>(path('/forecasts'), {})).body.data;
    assert.equal(plain.metadata.applied_events, []);
    const eventId = await record(running, { key: 'news', text: TEXT, occurred_at: now + 2 * HOUR });
    const made = (await client.post<Json>(path('/forecasts'), {})).body.data;
    const [applied] = made.metadata.applied_events;
    assert.is(made.metadata.applied_events.length, 1);
    assert.is(applied.event_id, eventId);
    assert.is(applied.edge_id, edgeId);
    assert.is(made.metadata.provenance.scorer_version, null, 'all events of the stream weigh the same');
    near(applied.effect_peak, AMPLITUDE);
    const effect = (h: number): number => (h < 2 ? 0 : AMPLITUDE * 2 ** (-(h - 2) / 4));
    made.points.forEach(({ mean, quantiles }: Json, h: number) => {
      near(mean, plain.points[h].mean + effect(h));
      near(quantiles['0.9'], plain.points[h].quantiles['0.9'] + effect(h));
    });
    await client.patch(path(''), { options: { scheduled_events: false } });
    const without = (await client.post<Json>(path('/forecasts'), {})).body.data;
    assert.is(without.metadata.skipped_events, 1);
    assert.equal(without.points, plain.points);
    await client.patch(path(''), { options: { scheduled_events: true } });
    assert.is((await goalOf(running, goalId)).shock_state, 'normal');
    assert.is((await client.delete(`/v1/event/${eventId}`)).status, 200);
  });

  test('a fresh event begins one, and a blended forecast is there at once', async () => {
    const eventId = await happens();
    const { metadata, points, shock_state: state } = await shocked(eventId);
    assert.is(state, 'shock');
    const { score_version } = (await client.get<Json>(`/v1/event/${eventId}`)).body.data;
    assert.match(score_version, /^es-/);
    assert.is(metadata.provenance.scorer_version, score_version);
    const { weights, components, band_factor: factor, band_factors: factors, remaining } = metadata.shock;
    assert.is(remaining, 1);
    assert.is(factor, 2);
    const plain = (await client.get<Json>(path('/forecasts'))).body.data.forecasts[1];
    assert.is(plain.shock_state, 'normal');
    assert.equal(weights, { champion: 0.4, generalist: 0.25, response: 0.35 });
    points.forEach(({ mean, quantiles }: Json, h: number) => {
      // The event is somewhere within the first step
      const left = (factors[h] - 1) / 2 ** (-h / 4);
      assert.ok(left >= 1 - 1e-9 && left <= 2 ** (1 / 4), `${left} at ${h}`);
      const width = (of: Json): number => of['0.9'] - of['0.1'];
      near(width(quantiles), factors[h] * width(plain.points[h].quantiles));
      const { champion: c, generalist: g, response: r } = components;
      near(mean, 0.4 * c[h] + 0.25 * g[h] + 0.35 * r[h]);
      near(r[h] - c[h], AMPLITUDE * 2 ** (-h / 4));
    });
    const goal = await read('');
    assert.is(goal.shock.depth, 1);
    assert.is(goal.shock.reason_entered, 'fresh_event');
    assert.equal((await client.get<Json>('/v1/goals?shock_state=shock')).body.data.total, 1);
    assert.equal((await client.get<Json>('/v1/goals?shock_state=normal')).body.data.total, 0);
    assert.is((await notified('goal.shock_entered')).data.event_id, eventId);
    assert.is((await read('/forecasts/latest')).shock_state, 'shock');
  });

  test('one to come would find the goal as it will be then', async () => {
    const after = async (h: number): Promise<unknown[]> => {
      const of = { stream: 'news', importance: 0.9, occurred_at: now + h * HOUR };
      const { data } = (await client.post<Json>(path('/shock/simulate'), of)).body;
      const { shock_state_before: before, shock_state_after: then, shock, response } = data;
      near(response[0].effect, shock.depth > 1 ? AMPLITUDE * (1 + 2 ** (-h / 4)) : AMPLITUDE);
      return [before, then, shock.depth];
    };
    assert.equal(await after(1), ['shock', 'shock', 2]);
    assert.equal(await after(10), ['recovering', 'shock', 2]);
    assert.equal(await after(30), ['normal', 'shock', 1]);
  });

  const replayed = async (of: string): Promise<Json> =>
    (await client.post<Json>(path(`/forecasts/${of}/replay`))).body.data;
  const journalOf = (forecastId: string): string =>
    `goal_forecast-${running.installed.workspaceId}.${forecastId}`;
  let fact: Fact<GoalForecastIssued>;
  /** What a replay finds of a forecast that was written so, under an id of its own. */
  const replayedAs = async ({ type, at, meta, data }: Fact<GoalForecastIssued>): Promise<Json> => {
    const { stores, visible, newId } = running.platform;
    const written = [{ id: newId(), type, at, meta, data }];
    const journal = journalOf(data.forecastId);
    await visible((await stores.events.append(journal, START, written as never)).position);
    return replayed(data.forecastId);
  };
  const SAME = { identical: true, diff: [] };

  test('its forecasts are replayed, also such as say neither scorer nor what they follow from', async () => {
    const [{ forecast_id: id }] = (await read('/forecasts')).forecasts;
    const [issued] = await running.platform.stores.events.read(journalOf(id), START, 1);
    fact = issued as Fact<GoalForecastIssued>;
    const { follows: _, scorerVersion, ...before } = fact.data;
    assert.ok(scorerVersion);
    assert.equal(await replayed(before.forecastId), SAME);
    assert.equal(await replayedAs({ ...fact, data: { ...before, forecastId: 'fct_before' } }), SAME);
  });

  test('bands that widened alike at all steps do so in a replay that is told of nothing else', async () => {
    const { follows, shock, points, ...rest } = fact.data;
    const { bandFactors, ...even } = shock!;
    assert.ok(bandFactors);
    const middle = points.quantiles[points.levels.indexOf(0.5)]!;
    // As its hash is of what was known, a replay by that says which it would have been
    const known = follows!.known!.map(one => {
      const { byStep: _, ...kept } = (one as Json).shock;
      return { ...(one as Json), shock: kept };
    });
    const made = { ...rest, shock: even, points };
    const by = { ...made, follows: { ...follows!, known }, forecastId: 'fct_even_known' };
    const { diff } = await replayedAs({ ...fact, data: by });
    const is = <V>(at: string, was: V): V => diff.find(({ path: of }: Json) => of === at)?.is ?? was;
    const quantiles = points.quantiles.map((column, k) =>
      column.map((was, h) => is(`points.quantiles.${k}.${h}`, was)),
    );
    const [high, plain] = [quantiles.at(-1)!, points.quantiles.at(-1)!];
    bandFactors.forEach((factor, h) =>
      near(high[h]! - middle[h]!, ((plain[h]! - middle[h]!) * even.bandFactor) / factor),
    );
    const hash = { inputsHash: is('inputs_hash', ''), seed: is('seed', 0) };
    const data = { ...made, ...hash, points: { ...points, quantiles } };
    const { known: _, ...unkept } = follows!;
    const unknown = { ...data, follows: unkept, forecastId: 'fct_even' };
    assert.equal(await replayedAs({ ...fact, data: unknown }), SAME);
    const { scorerVersion: __, ...before } = data;
    assert.equal(await replayedAs({ ...fact, data: { ...before, forecastId: 'fct_even_before' } }), SAME);
  });

  test('one known before deepens it when its time comes', async () => {
    const eventId = await happens({ text: `${TEXT} again`, occurred_at: now + HOUR });
    assert.is((await read('')).shock.depth, 1);
    now += HOUR;
    await shocked(eventId);
    const goal = await becomes(running, goalId, 'shock');
    assert.is(goal.shock.depth, 2);
    assert.ok(goal.shock.remaining > 0.999);
  });

  test('it is graded as actuals come', async () => {
    await push(
      running,
      'sales',
      hours(2, i => value(i) + 6, LENGTH),
    );
    const [episode] = await until(async () => {
      const all = await shocksOf(running, goalId);
      return all[0].grade.graded_steps > 0 && all;
    }, 'a graded step');
    assert.ok(episode.grade.blend_loss < episode.grade.champion_loss);
    assert.is(episode.grade.blend_won, true);
    const one = await read(`/shocks/${episode.episode_id}`);
    assert.equal(one.refits, []);
    assert.is(one.state, 'shock');
    assert.is((await client.get(path('/shocks/shk_none'))).status, 404);
  });

  test('a person lets it recover, and time ends it', async () => {
    assert.is((await client.post(path('/shock/exit'), {})).status, 422);
    const { status, body } = await client.post<Json>(path('/shock/exit'), { reason: 'false alarm' });
    assert.is(status, 200);
    assert.is(body.data.shock_state, 'recovering');
    const again = await client.post(path('/shock/exit'), { reason: 'false alarm' });
    assert.is(again.status, 409);
    assert.is(again.body.error.code, 'invalid_state');
    const [episode] = await shocksOf(running, goalId);
    assert.is(episode.recovering.reason, 'operator');
    assert.is(episode.recovering.note, 'false alarm');
    now += 48 * HOUR;
    await becomes(running, goalId, 'normal');
    const [over] = (await read('/shocks')).shocks;
    assert.is(over.state, 'over');
    assert.is(over.exit.reason, 'timeout');
    assert.is((await notified('goal.shock_exited')).data.reason, 'timeout');
    const { timeline } = await read('/timeline?per_page=100');
    const kinds = timeline.map(({ kind }: Json) => kind).filter((kind: string) => kind.includes('shock'));
    assert.equal(kinds, [
      ...['goal.shock_exited', 'goal.shock_recovering', 'goal.shock_deepened', 'goal.shock_entered'],
    ]);
    assert.is((await read('')).shock, null);
  });

  test('its stream gone, or its goal resting, it is none', async () => {
    await push(running, 'sales', hours(50, value, LENGTH + 2));
    // The edge of the other one is looked at again
    goalId = await activeGoal(running, goalSettings({ name: 'Other', options }));
    await edgeOf(running, goalId, 'wire');
    await shocked(await happens({ key: 'wire' }));
    await client.post(path('/pause'), undefined);
    await becomes(running, goalId, 'normal');
    assert.is((await shocksOf(running, goalId))[0].exit.reason, 'goal_stopped');
    await client.post(path('/resume'), undefined);
    await shocked(await happens({ key: 'wire' }));
    assert.is((await client.delete('/v1/event/streams/wire')).status, 200);
    await becomes(running, goalId, 'normal');
    const [episode] = await shocksOf(running, goalId);
    assert.equal([episode.recovering.reason, episode.exit.reason], ['cause_removed', 'cause_removed']);
    assert.is(episode.causes[0].removed, 'event');
    const told = async (): Promise<Json> =>
      (await read('/timeline?per_page=100')).timeline.find(
        ({ kind }: Json) => kind === 'goal.shock_cause_removed',
      );
    const removed = await until(told, 'its being told');
    assert.equal([removed.data.event_id, removed.data.gone], [episode.causes[0].event_id, 'event']);
  });
});
