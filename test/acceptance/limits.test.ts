import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { noise } from './series.js';
import { deploy, expected, forecast, openWorld, refused, type World } from './world.js';

// How much, how often, and how many at once (open-parts 12, 27, 32.14).
// Readings: the limit of the policy `inference` is the setting RATE_INFERENCE.

const series = (count: number, values: readonly number[]) =>
  Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    start: '2026-01-01T00:00:00Z',
    step_s: 3_600,
    values,
  }));

suite('acceptance: large requests of inference', test => {
  let world: World;
  let id = '';
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api, 'nano', { horizon: 12 });
  });
  test.after(() => world.close());

  const ask = (body: object) => world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, ...body });

  test('half a million numbers are taken, and the newest that the model reads are read', async () => {
    const long = noise(10_000).map(value => value + Math.PI / 1e6);
    const body = { promotion_id: id, series: series(50, long) };
    assert.ok(JSON.stringify(body).length > 5_000_000);
    const answer = await forecast(world.api, body);
    assert.is(answer.forecasts.length, 50);
    assert.is(answer.metadata.lookback_used, 2048);
    for (const { points } of answer.forecasts) assert.equal(points, answer.forecasts[0].points);
    const { points } = (await forecast(world.api, { promotion_id: id, series: series(1, long) }))
      .forecasts[0];
    assert.equal(points, answer.forecasts[0].points);
  });

  test('a body past 16 MB is 413 and says how much is taken', async () => {
    const long = noise(10_000).map(value => value + Math.PI);
    const { status, json } = await world.running.call('POST', '/v1/inference/forecast', {
      body: { promotion_id: id, series: series(100, long) },
    });
    assert.equal([status, json.error.code], [413, 'payload_too_large']);
    assert.is(json.error.details.limit_bytes, 16_000_000);
  });

  test('forty who ask at once are answered, or told when to come again', async () => {
    const body = { series: series(20, noise(512)), horizon: 48 };
    const [first] = [expected(await ask(body))];
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask(body)));
    for (const answer of answers) {
      if (answer.status === 200) assert.equal(answer.body.forecasts, first.forecasts);
      else {
        assert.ok(answer.status === 429 || answer.status === 503, answer.text);
        assert.ok(Number(answer.headers['retry-after']) >= 1);
      }
    }
    assert.ok(answers.filter(answer => answer.status === 200).length >= 20);
    expected(await ask(body));
  });
});

suite('acceptance: how often', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld({ RATE_INFERENCE: '3' });
  });
  test.after(() => world.close());

  test('inference has a limit of its own for a workspace, and another workspace keeps its own', async () => {
    const id = await deploy(world.api);
    const body = { promotion_id: id, series: series(1, noise(40)), horizon: 2 };
    const ask = () => world.api.post<Json>('/v1/inference/forecast', body);
    for (let i = 0; i < 3; i++) {
      const answer = await ask();
      expected(answer);
      assert.match(String(answer.headers['ratelimit-policy']), '"inference"');
    }
    const limited = await ask();
    assert.is(refused(limited, 429, 'rate_limited').details.policy, 'inference');
    assert.ok(Number(limited.headers['retry-after']) >= 1);
    expected(await world.api.get<Json>('/v1/deployments'));
    const other = await world.tenant();
    const own = await deploy(other);
    await forecast(other, { ...body, promotion_id: own });
  });
});
