import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { passengers } from './series.js';
import { day, FROM, iso } from './tables.js';
import { airline, custom, openTraining, trained } from './training.js';
import { expected, forecast, inState, quantile, refused, type World } from './world.js';

// What a training made in service (open-parts 11, 12, 32.19): deployed by itself, asked for forecasts,
// retired.

suite('acceptance: trained models in service', test => {
  let world: World;
  let segment_id = '';
  let record: Json;
  let id = '';
  const deploy = (body: object) => world.api.post<Json>('/v1/deployments', body);
  const train = async (algorithm: string, hyperparameters: object = {}): Promise<Json> =>
    trained(world.api, {
      segment_id,
      model: await custom(world.api, algorithm, { hyperparameters }),
      horizon: 12,
    });
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await airline(world.api));
    record = await train('seasonal_naive', { period: 12 });
  });
  test.after(() => world.close());

  test('it is deployed once, and says which training it is', async () => {
    const asked = { training_id: record.training_id, name: 'Last year', reason: 'to compare' };
    const { data } = expected(await deploy(asked), 201);
    id = data.promotion_id;
    assert.is(data.deployment_type, 'trained');
    assert.ok(['deployed', 'deploying'].includes(data.status));
    await inState(world.api, id, 'deployed');
    const found = expected(await world.api.get<Json>(`/v1/deployments/${id}`)).data;
    assert.equal(
      [found.training_id, found.pipeline_id, found.name, found.reason, found.ready, found.horizon],
      [record.training_id, null, 'Last year', 'to compare', true, 12],
    );
    const { details } = refused(await deploy(asked), 409, 'ALREADY_DEPLOYED');
    assert.is(details.promotion_id, id);
    const list = expected(await world.api.get<Json>('/v1/deployments?deployment_type=trained'));
    assert.equal(
      list.deployments.map((each: Json) => each.promotion_id),
      [id],
    );
  });

  test('its forecast is what the algorithm makes of the series', async () => {
    const answer = await forecast(world.api, { promotion_id: id, key: 'air' });
    const { points } = answer.forecasts[0];
    assert.is(points.length, 12, 'the horizon of the training');
    assert.equal(
      points.map((point: Json) => point.ts),
      points.map((_: Json, i: number) => iso(day(144 + i))),
    );
    for (const [i, value] of quantile(points, 0.5).entries())
      assert.ok(Math.abs(value - passengers[132 + i]!) < 1e-3, `${value} instead of ${passengers[132 + i]}`);
    const { provenance } = answer.metadata;
    for (const of of ['training_id', 'segment_version', 'table_hash'])
      assert.is(provenance[of], record[of], of);
    assert.match(provenance.table_hash, /^[0-9a-f]{64}$/);
  });

  test('the same question has the same answer, of points in the request and after a restart', async () => {
    const series = [{ id: 'air', start: iso(FROM), step_s: 86_400, values: passengers }];
    const points = async (body: object) =>
      (await forecast(world.api, { promotion_id: id, horizon: 6, ...body })).forecasts[0].points;
    const first = await points({ key: 'air' });
    assert.equal(await points({ key: 'air' }), first);
    assert.equal(await points({ series }), first);
    await world.restart();
    await inState(world.api, id, 'deployed');
    assert.equal(await points({ key: 'air' }), first);
  });

  test('every algorithm serves what it trained', async () => {
    for (const algorithm of ['theta', 'ets']) {
      const { training_id } = await train(algorithm);
      const { data } = expected(await deploy({ training_id }), 201);
      await inState(world.api, data.promotion_id, 'deployed');
      const answer = await forecast(world.api, { promotion_id: data.promotion_id, key: 'air' });
      for (const { quantiles } of answer.forecasts[0].points) {
        const levels = Object.keys(quantiles)
          .map(Number)
          .toSorted((a, b) => a - b);
        const values = levels.map(level => quantiles[String(level)]);
        assert.ok(values.every(Number.isFinite));
        assert.equal(
          values,
          values.toSorted((a, b) => a - b),
        );
      }
    }
  });

  test('what is not completed, unknown, or somebody else’s cannot be deployed', async () => {
    assert.ok([404, 422].includes((await deploy({ training_id: 'trn_nobodys' })).status));
    const tenant = await world.tenant();
    const answer = await tenant.post<Json>('/v1/deployments', { training_id: record.training_id });
    assert.ok([404, 422].includes(answer.status), answer.text);
    assert.is((await deploy({})).status >= 400, true);
  });

  test('retired it answers no more, and may be deployed again', async () => {
    expected(await world.api.post<Json>(`/v1/deployments/${id}/unpromote`, {}));
    await inState(world.api, id, 'retired');
    const gone = await world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, key: 'air' });
    refused(gone, 410, 'deployment_retired');
    const { data } = expected(await deploy({ training_id: record.training_id }), 201);
    assert.is.not(data.promotion_id, id);
  });
});
