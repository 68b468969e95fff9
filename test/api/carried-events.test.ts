import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';
import { AMPLITUDE, becomes, edgeOf, effectAfter, record } from './shocks-world.js';

// Effects of a stream known in advance are in the past that a model reads. One that carries them on and is
// moved by the events that lie ahead has them twice: so they are taken out of the past, and go on by their
// curve.

const LENGTH = 120;
const HOUR = HOUR_S * 1_000;
const REACH_H = 18;
const calm = (i: number): number => 50 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10;
/** Hours of the events: at a step's beginning, and within one. */
const HAPPENED = [40.5, 100, 114];
const effectOf = (at: number, i: number): number => (i >= at && i < at + REACH_H ? effectAfter(i - at) : 0);
const effectOn = (i: number): number =>
  HAPPENED.map(Math.floor).reduce((sum, at) => sum + effectOf(at, i), 0);
/** Of a shock so much is seen: what serves the goal repeats it a day after. */
const SEEN_H = 15;
/** Every event begins a shock. */
const options = { ...goalSettings().options, importanceBar: 0 };
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

suite('events that happened, of streams known in advance', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let running: Running;
  let client: Client;
  /** Its target has the effects; that of the other has not. */
  let moved: string;
  let still: string;
  /** The only one of the events that still does something. */
  let newest: string;
  const forecast = async (goalId: string): Promise<Json> => {
    now += 1_000;
    return (await client.post<Json>(`/v1/goals/${goalId}/forecasts`, {})).body.data;
  };
  /** In the last hour that the curve has, it goes straight to nothing. */
  const isSame = (a: Json, b: Json, more: (h: number) => number): void =>
    a.points.forEach(({ mean, quantiles }: Json, h: number) => {
      near(mean, b.points[h].mean + more(h));
      for (const level of ['0.1', '0.9']) near(quantiles[level], b.points[h].quantiles[level] + more(h));
    });
  /** What a scenario changes of a forecast of the one that was moved. */
  const deltaOf = async (made: Json, assumption: object): Promise<number[]> => {
    const asked = { name: 'Without', base: made.forecast_id, assumptions: [assumption] };
    const { body } = await client.post<Json>(`/v1/goals/${moved}/scenarios`, asked);
    assert.equal(body.data.warnings, []);
    return body.data.delta.map(({ mean }: Json) => mean);
  };

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    running = await startPlatform(folder.path, { clock: () => now, env });
    const description = (await running.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = running.installed;
    client = clientOf(running.base, description, { token, workspace });
    await push(running, 'calm', hours(LENGTH, calm));
    await push(
      running,
      'sales',
      hours(LENGTH, i => calm(i) + effectOn(i)),
    );
    for (const hour of HAPPENED)
      newest = await record(running, {
        ...{ key: 'news', text: 'A fair', occurred_at: START_S * 1_000 + hour * HOUR },
      });
    still = await activeGoal(running, goalSettings({ horizon: 12, target: 'calm' }));
    moved = await activeGoal(running, goalSettings({ horizon: 12, options }));
    await edgeOf(running, moved, 'news', { knownInAdvance: true });
    await forecastsOf(running, moved, 1);
  });
  test.after(async () => {
    client.close();
    await running.stop();
    folder.remove();
  });

  test('are not in what the model reads, and go on by their curve', async () => {
    const made = await forecast(moved);
    assert.is(made.metadata.carried_events, HAPPENED.length);
    assert.equal(made.metadata.applied_events, []);
    const other = await forecast(still);
    assert.is(other.metadata.carried_events, 0);
    isSame(made, other, h => effectOn(LENGTH + h));
    assert.ok(effectOn(LENGTH) > 2);
  });

  test('the explanation has a part for them, and adds up', async () => {
    const made = await forecast(moved);
    const path = `/v1/goals/${moved}/forecasts/${made.forecast_id}/explain`;
    const { components } = (await client.get<Json>(path)).body.data;
    assert.ok(components.some(({ name }: Json) => name === 'events'));
    made.points.forEach(({ mean }: Json, h: number) => {
      near(
        components.reduce((sum: number, { points }: Json) => sum + points[h], 0),
        mean,
      );
    });
  });

  test('a scenario takes from the base what they do there, once', async () => {
    const made = await forecast(moved);
    const delta = (assumption: object) => deltaOf(made, assumption);
    const isMoved = (deltas: readonly number[], by: (h: number) => number): void =>
      deltas.forEach((value, h) => near(value, by(h) - effectOn(LENGTH + h)));
    isMoved(await delta({ kind: 'event_remove', event_id: newest }), () => 0);
    isMoved(await delta({ kind: 'event_remove', stream: 'news' }), () => 0);
    const to = START_S * 1_000 + (LENGTH + 3) * HOUR;
    const move = (occurred_at: number) => delta({ kind: 'event_move', event_id: newest, occurred_at });
    isMoved(await move(to), h => (h < 3 ? 0 : effectAfter(h - 3)));
    isMoved(await move(START_S * 1_000 + HAPPENED.at(-1)! * HOUR), h => effectOn(LENGTH + h));
  });

  test('an inference that names the goal says the same, and again when it is replayed', async () => {
    const made = await forecast(moved);
    const body = { goal_id: moved, key: 'sales' };
    const asked = (await client.post<Json>('/v1/inference/forecast', body)).body;
    assert.is(asked.metadata.carried_events, HAPPENED.length);
    assert.equal(
      asked.forecasts[0].points.map(({ mean }: Json) => mean),
      made.points.map(({ mean }: Json) => mean),
    );
    const replayed = await client.post<Json>(`/v1/inference/${asked.inference_id}/replay`, {});
    assert.equal(replayed.body, { identical: true, diff: [] });
  });

  test('those that lie ahead come on top', async () => {
    const other = await forecast(still);
    const at = START_S * 1_000 + (LENGTH + 3) * HOUR + 418;
    const eventId = await record(running, { key: 'news', text: 'A fair', occurred_at: at });
    const made = await forecast(moved);
    const offsets = made.metadata.applied_events.map(({ offset_s }: Json) => offset_s);
    assert.equal(offsets, [3 * HOUR_S], 'in whole seconds');
    isSame(made, other, h => effectOn(LENGTH + h) + (h < 3 ? 0 : effectAfter(h - 3)));
    const then = new Date(now).toISOString();
    now += HOUR;
    const body = { goal_id: moved, key: 'sales', as_of: then };
    const asked = (await client.post<Json>('/v1/inference/forecast', body)).body;
    assert.equal(asked.metadata.applied_events, made.metadata.applied_events);
    assert.is(asked.metadata.carried_events, HAPPENED.length);
    assert.equal(asked.forecasts[0].points, made.points, 'as it was known then');
    await client.delete(`/v1/event/${eventId}`);
  });

  test('what a shock follows from is not among them until it is over', async () => {
    const other = await forecast(still);
    now += 1_000;
    const eventId = await record(running, { key: 'news', text: 'A fair' });
    const made = await until(async () => {
      const { forecasts } = (await client.get<Json>(`/v1/goals/${moved}/forecasts`)).body.data;
      return forecasts.find(({ trigger }: Json) => trigger === 'shock')?.metadata;
    }, 'a forecast of the shock');
    assert.is(made.carried_events, HAPPENED.length);
    const { champion, response } = made.shock.components;
    champion.forEach((value: number, h: number) => {
      near(value, other.points[h].quantiles['0.5'] + effectOn(LENGTH + h));
      // An hour has passed since the first step ahead began
      near(response[h], value + (h < 1 ? 0 : effectAfter(h - 1)));
    });
    await client.delete(`/v1/event/${eventId}`);
  });

  test('switched off, the model reads what is there', async () => {
    await client.patch(`/v1/goals/${moved}`, { options: { scheduled_events: false } });
    const made = await forecast(moved);
    assert.is(made.metadata.carried_events, 0);
    // A day before the fifth step ahead it is as strong as it gets
    assert.ok(made.points[4].mean - (await forecast(still)).points[4].mean > 7);
    await client.patch(`/v1/goals/${moved}`, { options: { scheduled_events: true } });
  });

  test('what a model has seen of a shock is not in the response once more', async () => {
    await becomes(running, moved, 'normal');
    now += 1_000;
    const struck = Math.floor((now / 1_000 - START_S) / HOUR_S);
    await record(running, { key: 'news', text: 'A fair' });
    await becomes(running, moved, 'shock');
    const end = struck + SEEN_H;
    const append = (key: string, of: (i: number) => number) =>
      push(running, key, hours(end - LENGTH, of, LENGTH));
    await append('calm', calm);
    await append('sales', i => calm(i) + effectOn(i) + effectOf(struck, i));
    now += SEEN_H * HOUR;
    const other = await forecast(still);
    const { champion, response } = (await forecast(moved)).metadata.shock.components;
    const without = (h: number): number => other.points[h].quantiles['0.5'] + effectOn(end + h);
    const dayAfter = 24 - SEEN_H;
    near(champion[dayAfter], without(dayAfter) + AMPLITUDE);
    response.forEach((value: number, h: number) => near(value, without(h) + effectOf(struck, end + h)));
  });

  test('a scenario finds an event whose time was corrected after the base was made', async () => {
    const late = (hours: number) => now - hours * HOUR;
    const eventId = await record(running, { key: 'news', text: 'A fair', occurred_at: late(8) });
    const made = await forecast(moved);
    const remove = { kind: 'event_remove', event_id: eventId };
    const before = await deltaOf(made, remove);
    assert.ok(before[0]! < -1);
    await client.patch(`/v1/event/${eventId}`, { occurred_at: late(10) });
    assert.equal(await deltaOf(made, remove), before);
  });
});
