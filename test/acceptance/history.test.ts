import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily, noise } from './series.js';
import { DAY, deploy, expected, forecast, openWorld, places, push, refused, type World } from './world.js';

// What was asked and answered: history, replay, usage, and work that takes a while (open-parts 12, 29.3,
// 29.4, 32.17). Readings: `calls` of usage counts what was answered; history shows the newest first.

suite('acceptance: the history of inference', test => {
  let world: World;
  let id = '';
  const made: string[] = [];
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api, 'nano', { horizon: 6 });
    await push(world.api, 'orders', daily(90), { from: Date.UTC(2026, 0, 1) });
    for (const horizon of [3, 4, 5])
      made.push((await forecast(world.api, { promotion_id: id, key: 'orders', horizon })).inference_id);
  });
  test.after(() => world.close());

  const history = async (query = ''): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/inference${query}`));
  const one = async (inferenceId: string): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/inference/${inferenceId}`));
  const inline = (count: number, length = 40) =>
    Array.from({ length: count }, (_, i) => ({
      id: `s${i}`,
      start: '2026-01-01T00:00:00Z',
      step_s: 3_600,
      values: noise(length, i),
    }));

  test('each answer has its row, the newest first, in pages', async () => {
    const { inferences, total, limit, offset, has_more } = await history();
    assert.equal([total, offset, has_more], [3, 0, false]);
    assert.ok(limit >= 3);
    assert.equal(
      inferences.map((row: Json) => row.inference_id),
      made.toReversed(),
    );
    for (const [i, row] of inferences.entries()) {
      assert.equal([row.promotion_id, row.goal_id, row.status], [id, null, 'completed']);
      assert.equal([row.horizon, row.series, row.graded, row.score], [5 - i, 1, false, null]);
      assert.type(row.caller.token_id, 'string');
      assert.type(row.caller.name, 'string');
      assert.type(row.latency_ms, 'number');
      assert.ok(row.credits !== undefined);
      assert.match(row.created_at, /Z$/);
    }
    const page = await history('?limit=1&offset=1');
    assert.equal([page.inferences[0].inference_id, page.has_more, page.total], [made[1], true, 3]);
    assert.is((await history(`?promotion_id=${id}&status=completed`)).total, 3);
    assert.is((await history('?promotion_id=prm_nobodys')).total, 0);
    assert.is((await history('?status=failed')).total, 0);
    assert.is((await history(`?from=${inferences[1].created_at}`)).total >= 2, true);
    assert.is((await history('?to=2020-01-01T00:00:00Z')).total, 0);
    assert.equal(places(await world.api.get<Json>('/v1/inference?status=dreaming')), ['query.status']);
    assert.equal(places(await world.api.get<Json>('/v1/inference?from=soon')), ['query.from']);
  });

  test('one has the request and the answer as they were', async () => {
    const answer = await forecast(world.api, { promotion_id: id, key: 'orders', quantiles: [0.2, 0.5] });
    const record = await one(answer.inference_id);
    assert.equal([record.request.key, record.request.quantiles], ['orders', [0.2, 0.5]]);
    assert.equal(record.answer.forecasts, answer.forecasts);
    assert.equal(record.answer.metadata, answer.metadata);
    assert.is(record.grade, null);
    refused(await world.api.get<Json>('/v1/inference/inf_nobodys'), 404);
  });

  test('what was refused is not recorded', async () => {
    const { total } = await history();
    for (const body of [{ horizon: 0 }, { key: 'nothing' }, { horizon: 5_000 }])
      assert.ok(
        (await world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, key: 'orders', ...body }))
          .status >= 400,
      );
    assert.is((await history()).total, total);
  });

  test('a replay is identical, also when newer points have come and old ones were revised', async () => {
    const [first] = made;
    const replay = async () => expected(await world.api.post<Json>(`/v1/inference/${first}/replay`));
    assert.equal(await replay(), { identical: true, diff: [] });
    await push(world.api, 'orders', [500, 501], { from: Date.UTC(2026, 0, 1) + 90 * DAY });
    await push(world.api, 'orders', [999], { from: Date.UTC(2026, 0, 1) + 80 * DAY });
    assert.equal(await replay(), { identical: true, diff: [] });
    const inlined = await forecast(world.api, { promotion_id: id, series: inline(3) });
    assert.equal(expected(await world.api.post<Json>(`/v1/inference/${inlined.inference_id}/replay`)), {
      identical: true,
      diff: [],
    });
    refused(await world.api.post<Json>('/v1/inference/inf_nobodys/replay'), 404);
  });

  test('usage adds up what was answered', async () => {
    const api = await world.tenant();
    const own = await deploy(api, 'nano', { horizon: 6 });
    const total = { calls: 0, series: 0, output_points: 0 };
    for (const count of [1, 2, 5]) {
      const { usage } = await forecast(api, { promotion_id: own, series: inline(count) });
      total.calls++;
      total.series += usage.series;
      total.output_points += usage.output_points;
    }
    assert.equal(total, { calls: 3, series: 8, output_points: 48 });
    for (const by of ['day', 'promotion', 'token']) {
      const { buckets } = expected(await api.get<Json>(`/v1/inference/usage?group_by=${by}`));
      assert.is(buckets.length, 1, by);
      const [{ calls, series, output_points, errors, key, p95_ms }] = buckets;
      assert.equal({ calls, series, output_points }, total, by);
      assert.is(errors, 0);
      assert.type(p95_ms, 'number');
      if (by === 'promotion') assert.is(key, own);
    }
    const past = expected(await api.get<Json>('/v1/inference/usage?group_by=day&to=2020-01-01T00:00:00Z'));
    assert.is(past.buckets.length, 0);
    assert.equal(places(await api.get<Json>('/v1/inference/usage?group_by=mood')), ['query.group_by']);
  });

  const finished = (inferenceId: string): Promise<Json> =>
    until(async () => {
      const record = await one(inferenceId);
      return ['completed', 'failed', 'cancelled'].includes(record.status) && record;
    }, inferenceId);

  test('over fifty series are worked on in the background, with the same bits', async () => {
    const series = inline(51);
    const queued = expected(
      await world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, series }),
      202,
    );
    assert.equal([queued.status, typeof queued.inference_id], ['queued', 'string']);
    assert.match(queued.poll_url, `/v1/inference/${queued.inference_id}`);
    const record = await finished(queued.inference_id);
    assert.is(record.status, 'completed');
    assert.is(record.answer.forecasts.length, 51);
    const few = await forecast(world.api, { promotion_id: id, series: series.slice(20, 22) });
    assert.equal(record.answer.forecasts.slice(20, 22), few.forecasts);
    const [row] = (await history('?limit=100')).inferences.filter(
      (each: Json) => each.inference_id === queued.inference_id,
    );
    assert.equal([row.status, row.series], ['completed', 51]);
  });

  test('one series may wait, too, and is what the immediate answer is', async () => {
    const series = inline(1, 70);
    const body = { promotion_id: id, series, async: true };
    const { inference_id } = expected(await world.api.post<Json>('/v1/inference/forecast', body), 202);
    const { answer } = await finished(inference_id);
    assert.equal(answer.forecasts, (await forecast(world.api, { promotion_id: id, series })).forecasts);
    refused(await world.api.post<Json>(`/v1/inference/${inference_id}/cancel`), 409);
    assert.is((await one(inference_id)).status, 'completed');
  });

  test('work that is under way may be cancelled, and then has no answer', async () => {
    const body = { promotion_id: id, series: inline(100, 2_000), horizon: 720, async: true };
    const { inference_id } = expected(await world.api.post<Json>('/v1/inference/forecast', body), 202);
    const answer = await world.api.post<Json>(`/v1/inference/${inference_id}/cancel`);
    const record = await finished(inference_id);
    if (answer.status === 409) return assert.is(record.status, 'completed', 'it was over');
    expected(answer);
    assert.is(record.status, 'cancelled');
    assert.is(record.answer ?? null, null);
  });

  test('under an Idempotency-Key there is one inference', async () => {
    const { total } = await history();
    const send = (horizon: number) =>
      world.api.post<Json>(
        '/v1/inference/forecast',
        { promotion_id: id, series: inline(2), horizon },
        { 'idempotency-key': 'once' },
      );
    const first = expected(await send(3));
    const again = await send(3);
    assert.equal(expected(again), first);
    assert.is(again.headers['idempotency-replayed'], 'true');
    refused(await send(4), 409, 'idempotency_conflict');
    assert.is((await history()).total, total + 1);
  });
});
