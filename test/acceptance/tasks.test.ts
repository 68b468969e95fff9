import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily, noise } from './series.js';
import { deploy, expected, forecast, openWorld, places, push, refused, type World } from './world.js';

// The other tasks of inference (specification 2.2, 4.10; open-parts 12, 32.20).
// Readings: `embed` answers `embeddings: [{id, embedding}]`, `impute` `imputations: [{id, points}]` with
// `imputed` on each point, `classify` takes `examples: [{label, values}]` and answers
// `classifications: [{id, label, probabilities}]`; a task that a model does not list is 400 naming it.

const FROM = Date.UTC(2026, 0, 1);
const START = '2026-01-01T00:00:00Z';

suite('acceptance: anomaly, impute, embed, classify', test => {
  let world: World;
  let id = '';
  let tasks: string[] = [];
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api);
    tasks = expected(await world.api.get<Json>('/v1/models/foundation/presage/nano')).data.supports.tasks;
  });
  test.after(() => world.close());

  const ask = (task: string, more: object) =>
    world.api.post<Json>(`/v1/inference/${task}`, { promotion_id: id, ...more });
  const even = (values: readonly (number | null)[], name = 'a') => [
    { id: name, start: START, step_s: 86_400, values },
  ];

  test('a spike is an anomaly, and ordinary days are not', async () => {
    const values = daily(200);
    const spiked = values.map((value, i) => (i === 170 ? value + 90 : value));
    const { anomalies } = expected(await ask('anomaly', { series: even(spiked), window: 60 }));
    assert.equal([anomalies.length, anomalies[0].id], [1, 'a']);
    const { points } = anomalies[0];
    assert.is(points.length, 60, 'the newest ones');
    for (const [i, point] of points.entries()) {
      assert.is(point.ts, new Date(FROM + (140 + i) * 86_400_000).toISOString());
      assert.type(point.anomaly, 'boolean');
      assert.type(point.score, 'number');
      assert.ok(point.lower <= point.expected && point.expected <= point.upper);
    }
    assert.is(points[30].anomaly, true, JSON.stringify(points[30]));
    assert.ok(spiked[170]! > points[30].upper);
    assert.is(points[30].score, Math.max(...points.map((point: Json) => point.score)));
    const flagged = points.filter((point: Json) => point.anomaly).length;
    assert.ok(flagged <= 6, `${flagged} of 60 at a level of 99%`);
  });

  test('a lower level flags no fewer, and levels have their bounds', async () => {
    const series = even(noise(150));
    const count = async (level: number) => {
      const { anomalies } = expected(await ask('anomaly', { series, level }));
      return anomalies[0].points.filter((point: Json) => point.anomaly).length;
    };
    const [wide, narrow] = [await count(99.9), await count(50)];
    assert.ok(wide <= 3, `${wide} beyond 99.9%`);
    assert.ok(narrow > 20, `${narrow} beyond 50%`);
    for (const level of [49.9, 99.95, 'high'])
      assert.equal(places(await ask('anomaly', { series, level })), ['body.level']);
    assert.equal(places(await ask('anomaly', { series, window: 0 })), ['body.window']);
  });

  test('a signal is judged by its key as its values are', async () => {
    const values = noise(90, 3);
    await push(world.api, 'noise', values, { from: FROM });
    const byKey = expected(await ask('anomaly', { key: 'noise', window: 20 }));
    const inline = expected(await ask('anomaly', { series: even(values, 'noise'), window: 20 }));
    assert.equal(byKey.anomalies, inline.anomalies);
    assert.match(refused(await ask('anomaly', { key: 'nothing' }), 404).message, 'nothing');
  });

  test('a gap is filled by what the series does, not by a line', async () => {
    const values = daily(140);
    const gap = values.map((value, i) => (i >= 90 && i < 97 ? null : value));
    const body = expected(await ask('impute', { series: even(gap) }));
    const [{ id: name, points }] = body.imputations;
    assert.is(name, 'a');
    const filled = points.filter((point: Json) => point.imputed);
    assert.is(filled.length, 7);
    const error = (of: (i: number) => number) =>
      filled.reduce((sum: number, _: Json, i: number) => sum + Math.abs(of(i) - values[90 + i]!), 0);
    const line = (i: number) => values[89]! + ((values[97]! - values[89]!) * (i + 1)) / 8;
    assert.ok(error(i => filled[i].value) < 0.7 * error(line));
    for (const [i, point] of filled.entries()) {
      assert.is(point.ts, new Date(FROM + (90 + i) * 86_400_000).toISOString());
      assert.ok(point.lower <= point.value && point.value <= point.upper);
    }
    const known = points.filter((point: Json) => !point.imputed);
    assert.ok(
      known.every((point: Json) => values.includes(point.value)),
      'what is known stays',
    );
    const whole = expected(await ask('impute', { series: even(values) }));
    assert.ok(whole.imputations[0].points.every((point: Json) => !point.imputed));
  });

  test('an embedding tells series apart, where the model offers it', async () => {
    const answer = await ask('embed', { series: [...even(daily(100)), ...even(noise(100), 'b')] });
    if (!tasks.includes('embed')) return assert.match(refused(answer, 400).message, 'embed');
    const { embeddings } = expected(answer);
    assert.equal(
      embeddings.map((each: Json) => each.id),
      ['a', 'b'],
    );
    const [a, b] = embeddings.map((each: Json) => each.embedding);
    assert.ok(a.length >= 8 && a.every(Number.isFinite));
    assert.is(a.length, b.length);
    assert.is.not(JSON.stringify(a), JSON.stringify(b));
    const alone = expected(await ask('embed', { series: even(daily(100)) }));
    assert.equal(alone.embeddings[0], embeddings[0]);
  });

  test('series are told apart by examples, where the model offers it', async () => {
    const example = (label: string, values: readonly number[]) => ({ label, values });
    const examples = [1, 2, 3, 4].flatMap(seed => [
      example('weekly', daily(84, { seed })),
      example('noise', noise(84, 10 + seed)),
    ]);
    const series = [...even(daily(84, { seed: 30 }), 'w'), ...even(noise(84, 40), 'n')];
    const answer = await ask('classify', { examples, series });
    if (!tasks.includes('classify')) return assert.match(refused(answer, 400).message, 'classify');
    const { classifications } = expected(answer);
    assert.equal(
      classifications.map((each: Json) => [each.id, each.label]),
      [
        ['w', 'weekly'],
        ['n', 'noise'],
      ],
    );
    for (const { probabilities } of classifications) {
      const sum = (Object.values(probabilities) as number[]).reduce((total, p) => total + p, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9);
    }
    assert.match(places(await ask('classify', { series })).join(), 'body.examples');
  });

  test('each task asks for a deployment that there is, and for numbers', async () => {
    for (const task of ['anomaly', 'impute', 'backtest']) {
      const series = even(noise(60));
      refused(
        await world.api.post<Json>(`/v1/inference/${task}`, { promotion_id: 'prm_nobodys', series }),
        404,
      );
      assert.match(
        places(await world.api.post<Json>(`/v1/inference/${task}`, { series })).join(),
        'promotion_id',
      );
      refused(await ask(task, {}), 422);
    }
  });

  test('what a task answered stands in the history and replays', async () => {
    const answer = expected(await ask('anomaly', { series: even(noise(80)), window: 10 }));
    const replayed = await world.api.post<Json>(`/v1/inference/${answer.inference_id}/replay`);
    assert.equal(expected(replayed), { identical: true, diff: [] });
    const record = expected(await world.api.get<Json>(`/v1/inference/${answer.inference_id}`));
    assert.equal(record.answer.anomalies, answer.anomalies);
    await forecast(world.api, { promotion_id: id, series: even(noise(80)), horizon: 3 });
  });
});
