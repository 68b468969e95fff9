import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, isoOf, push, START_S } from './segments-world.js';
import { edgeOf, effectAfter, goalOf, record } from './shocks-world.js';

const LENGTH = 120;
const HORIZON = 12;
const value = (i: number): number => 50 + 3 * Math.sin((i * Math.PI) / 12) + (i % 5) / 10;
const options = { ...goalSettings().options, importanceBar: 0.1 };
const TEXT = 'Fire destroys the main warehouse, all deliveries are halted, losses are huge';
const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);
const near = (a: number, b: number): void => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);
/** Of an event within the step before the first, and of one in the step `h` ahead. */
const steps = Array.from({ length: HORIZON }, (_, h) => h);
const ahead = (from: number): number[] => steps.map(h => (h < from ? 0 : effectAfter(h - from)));

suite('what would be, on a base that was made in a shock', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let running: Running;
  let client: Client;
  let goalId: string;
  let edgeId: string;
  /** The two causes, and the forecast that both moved. */
  let causes: readonly [string, string];
  let base: Json;
  /** What one of the causes did. */
  let each: readonly number[];
  const imagined = async (...assumptions: readonly object[]): Promise<Json> => {
    const path = `/v1/goals/${goalId}/scenarios`;
    const asked = { name: 'Without it', base: base.forecast_id, assumptions };
    const { status, body } = await client.post<Json>(path, asked);
    assert.is(status, 201, JSON.stringify(body));
    const { total_delta: total, by_assumption: parts } = body.data;
    assert.is(sum(parts.map((one: Json) => one.contribution)), total);
    return body.data;
  };
  const isDelta = (made: Json, expected: readonly number[]): void => {
    made.delta.forEach(({ mean, quantiles }: Json, h: number) => {
      near(mean, expected[h]!);
      for (const moved of Object.values<number>(quantiles)) near(moved, expected[h]!);
    });
    near(made.total_delta, sum(expected));
    assert.equal(made.warnings, []);
  };

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    running = await startPlatform(folder.path, { clock: () => now, env });
    const description = (await running.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = running.installed;
    client = clientOf(running.base, description, { token, workspace });
    await push(running, 'sales', hours(LENGTH, value));
    goalId = await activeGoal(running, goalSettings({ horizon: HORIZON, options }));
    edgeId = await edgeOf(running, goalId, 'news');
    await forecastsOf(running, goalId, 1);
    const happens = async (): Promise<string> => {
      now += 1_000;
      const eventId = await record(running, { key: 'news', text: TEXT });
      await until(async () => {
        const { causes: known = [] } = (await goalOf(running, goalId)).shock ?? {};
        return known.some((one: Json) => one.event_id === eventId);
      }, `a shock by ${eventId}`);
      return eventId;
    };
    causes = [await happens(), await happens()];
    now += 1_000;
    base = (await client.post<Json>(`/v1/goals/${goalId}/forecasts`, {})).body.data;
    const { weights, components } = base.metadata.shock;
    each = ahead(0).map(effect => weights.response * effect);
    each.forEach((by, h) =>
      near(2 * by, weights.response * (components.response[h] - components.champion[h])),
    );
  });
  test.after(async () => {
    client.close();
    await running.stop();
    folder.remove();
  });

  test('a cause that is removed takes what it did with it, by its id and by its stream', async () => {
    const [x, y] = causes;
    isDelta(
      await imagined({ kind: 'event_remove', event_id: x }),
      each.map(by => -by),
    );
    const both = each.map(by => -2 * by);
    isDelta(await imagined({ kind: 'event_remove', stream: 'news' }), both);
    const from = isoOf(START_S + LENGTH * HOUR_S);
    isDelta(await imagined({ kind: 'event_remove', stream: 'news', from, to: now }), both);
    const made = await imagined({ kind: 'event_remove', event_id: x }, { kind: 'event_remove', event_id: y });
    isDelta(made, both);
    for (const { contribution } of made.by_assumption) near(contribution, -sum(each));
    assert.equal(made.edges, [edgeId]);
  });

  test('an edge that is off takes what causes did by it, also of the newest forecast', async () => {
    const both = each.map(by => -2 * by);
    const off = { kind: 'edge_off', edge_id: edgeId };
    isDelta(await imagined(off), both);
    const asked = { name: 'Of the newest', assumptions: [off] };
    const { body } = await client.post<Json>(`/v1/goals/${goalId}/scenarios`, asked);
    assert.is(body.data.base_forecast_id, base.forecast_id);
    isDelta(body.data, both);
  });

  test('a cause that is moved ahead acts there once, in full, as what is to come does', async () => {
    const occurredAt = (START_S + (LENGTH + 6) * HOUR_S) * 1_000;
    const move = { kind: 'event_move', event_id: causes[0], occurred_at: occurredAt };
    const then = ahead(6);
    isDelta(
      await imagined(move),
      each.map((by, h) => then[h]! - by),
    );
    const added = { kind: 'event_add', stream: 'news', occurred_at: occurredAt };
    const apart = await imagined({ kind: 'event_remove', event_id: causes[0] }, added);
    near((await imagined(move)).total_delta, apart.total_delta);
  });

  test('moved to where it is it changes nothing; before that, it has faded more', async () => {
    const [event] = causes;
    const { occurred_at: at } = (await client.get<Json>(`/v1/event/${event}`)).body.data;
    isDelta(
      await imagined({ kind: 'event_move', event_id: event, occurred_at: at }),
      steps.map(() => 0),
    );
    const { weights } = base.metadata.shock;
    const earlier = steps.map(h => weights.response * effectAfter(h + 2));
    const before = new Date(new Date(at).getTime() - 2 * HOUR_S * 1_000).toISOString();
    isDelta(
      await imagined({ kind: 'event_move', event_id: event, occurred_at: before }),
      each.map((by, h) => earlier[h]! - by),
    );
  });
});
