import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { byom, path, registered, uploaded } from './byom.js';
import { ridge, ridgeForecast, ridgePast, ridgeSignature } from './made-elsewhere.js';
import { bands, lastPlus, signed } from './networks.js';
import { openTraining } from './training.js';
import { at, expected, forecast, inState, quantile, refused, type World } from './world.js';

// An uploaded model as one among others: registered, deployed, asked, deleted (specification 4.6;
// open-parts 8, 11, 32.15, 32.23).

suite('acceptance: registered models', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());

  const values = [5, 6, 7, 8, 9, 10, 11, 5, 6, 7, 8, 9, 10, 11, 20];
  const series = (past: readonly number[]) => [
    { id: 's', start: at(Date.UTC(2026, 0, 1)), step_s: 86_400, values: past },
  ];
  const deploy = (id: string) => world.api.post<Json>('/v1/deployments', { byom_id: id });
  const deployed = async (id: string): Promise<string> => {
    const { data } = expected(await deploy(id), 201);
    assert.is(data.deployment_type, 'byom');
    await inState(world.api, data.promotion_id, 'deployed');
    return data.promotion_id;
  };

  test('registered it is a model of the workspace, with the name and tags that it was given', async () => {
    const { id, uid } = await registered(world.api, lastPlus(), signed(), { name: 'Last', tags: ['simple'] });
    assert.is((await byom(world.api, id)).status, 'registered');
    const model = expected(await world.api.get<Json>(`/v1/models/${uid}`)).data;
    assert.equal(
      [model.name, model.kind, model.tags, model.visibility],
      ['Last', 'byom', ['simple'], 'private'],
    );
    const tenant = await world.tenant();
    refused(await tenant.get<Json>(`/v1/models/${uid}`), 404);
    const { uid: open } = await registered(world.api, lastPlus(), signed(), {
      name: 'Open last',
      visibility: 'public',
    });
    assert.is(expected(await tenant.get<Json>(`/v1/models/${open}`)).data.name, 'Open last');
    const found = expected(await tenant.get<Json>('/v1/models/public?search=open%20last')).data;
    assert.equal(
      found.models.map((row: Json) => row.uid),
      [open],
    );
    const again = await world.api.post<Json>(path(id, '/register'), {});
    assert.is(again.status, 409, 'it is registered already');
  });

  test('deployed it forecasts what its network says', async () => {
    const { id } = await registered(world.api, lastPlus(), signed());
    const promotion = await deployed(id);
    const answer = await forecast(world.api, { promotion_id: promotion, series: series(values) });
    assert.equal(quantile(answer.forecasts[0].points, 0.5), [21, 22, 23, 24, 25, 26, 27]);
    const { details } = refused(await deploy(id), 409, 'ALREADY_DEPLOYED');
    assert.is(details.promotion_id, promotion);
    const far = await world.api.post<Json>('/v1/inference/forecast', {
      promotion_id: promotion,
      series: series(values),
      horizon: 8,
    });
    assert.match(refused(far, 400, 'horizon_above_cap').message, 'horizon');
    for (const { quantiles } of answer.forecasts[0].points) {
      const levels = Object.keys(quantiles)
        .map(Number)
        .toSorted((a, b) => a - b);
      const points = levels.map(level => quantiles[String(level)]);
      assert.equal(
        points,
        points.toSorted((a, b) => a - b),
        'it has bands, though it gives points only',
      );
    }
    refused(await world.api.delete<Json>(path(id)), 409, 'IN_USE');
    expected(await world.api.post<Json>(`/v1/deployments/${promotion}/unpromote`, {}));
    await inState(world.api, promotion, 'retired');
    assert.is(expected(await world.api.delete<Json>(path(id))).status, 'deleted');
    refused(await world.api.get<Json>(path(id)), 404);
  });

  test('quantiles of its own are taken as they are', async () => {
    const outputs = [{ name: 'y', dtype: 'float32', shape: ['batch', 7, 3] }];
    const { id } = await registered(world.api, bands(), signed({ outputs, quantiles: [0.1, 0.5, 0.9] }));
    const answer = await forecast(world.api, {
      promotion_id: await deployed(id),
      series: series(values),
      quantiles: [0.1, 0.5, 0.9],
    });
    const { points } = answer.forecasts[0];
    assert.equal(quantile(points, 0.5), [21, 22, 23, 24, 25, 26, 27]);
    const low = quantile(points, 0.1);
    const high = quantile(points, 0.9);
    for (let i = 0; i < 7; i++) assert.ok(low[i]! < 21 + i && high[i]! > 21 + i);
  });

  test('z-scores go in and values come out where it was signed so', async () => {
    const { id } = await registered(world.api, ridge, ridgeSignature);
    const answer = await forecast(world.api, {
      promotion_id: await deployed(id),
      series: series(ridgePast),
    });
    for (const [i, value] of quantile(answer.forecasts[0].points, 0.5).entries())
      assert.ok(Math.abs(value - ridgeForecast[i]!) < 0.02, `${value} instead of ${ridgeForecast[i]}`);
  });

  test('too short a past is refused with what is needed', async () => {
    const { id } = await registered(world.api, lastPlus(), signed());
    const answer = await world.api.post<Json>('/v1/inference/forecast', {
      promotion_id: await deployed(id),
      series: series(values.slice(0, 1)),
    });
    const { details } = refused(answer, 422, 'insufficient_history');
    assert.equal([details.got, details.needed > 1], [1, true]);
  });

  test('only what is registered is deployed', async () => {
    const id = await uploaded(world.api, lastPlus(), signed());
    assert.ok([404, 409, 422].includes((await deploy(id)).status));
    assert.ok([404, 422].includes((await deploy('byo_nobodys')).status));
  });

  test('it serves after a restart', async () => {
    const { id } = await registered(world.api, lastPlus([3, 3, 3, 3, 3, 3, 3]), signed());
    const promotion = await deployed(id);
    await world.restart();
    await inState(world.api, promotion, 'deployed');
    const answer = await forecast(world.api, { promotion_id: promotion, series: series(values) });
    assert.equal(quantile(answer.forecasts[0].points, 0.5), [23, 23, 23, 23, 23, 23, 23]);
  });
});

suite('acceptance: places of uploaded models', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());

  test('to another workspace, and to others’ scopes, it is not there', async () => {
    const { id } = await registered(world.api, lastPlus(), signed());
    const tenant = await world.tenant();
    refused(await tenant.get<Json>(path(id)), 404);
    refused(await tenant.delete<Json>(path(id)), 404);
    refused(await tenant.post<Json>(path(id, '/validate'), {}), 404);
    refused(await tenant.post<Json>(path(id, '/register'), {}), 404);
    assert.is(expected(await tenant.get<Json>('/v1/models/byom')).data.total, 0);
    refused(await tenant.post<Json>('/v1/deployments', { byom_id: id }), 404);
    for (const api of [tenant, world.api])
      for (const body of [{ family: 'byom', slug: id }, { blueprint_uid: `extfm__byom__${id}` }])
        for (const to of ['/v1/deployments', '/v1/models/deploy-foundation'])
          refused(await api.post<Json>(to, body), 404, 'model_not_available');
    const reader = await world.withScopes(['models.read']);
    expected(await reader.get<Json>(path(id)));
    refused(await reader.delete<Json>(path(id)), 403, 'insufficient_scope');
    refused(await reader.post<Json>(path(id, '/validate'), {}), 403, 'insufficient_scope');
    refused(await reader.post<Json>(path(id, '/register'), {}), 403, 'insufficient_scope');
    const writer = await world.withScopes(['models.write']);
    refused(await writer.get<Json>(path(id)), 403, 'insufficient_scope');
    const viewer = await world.member('viewer');
    expected(await viewer.get<Json>(path(id)));
    refused(await viewer.delete<Json>(path(id)), 403, 'role_forbidden');
  });
});
