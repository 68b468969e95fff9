import * as assert from 'uvu/assert';
import type { ByomFact } from '../../domain/byom/facts.js';
import { uidOf } from '../../domain/byom/listing.js';
import { START, type Fact } from '../../domain/fact.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { path as byomPath, registered, uploaded, validated } from './byom.js';
import { entriesOf } from './money.js';
import { lastPlus, signed } from './networks.js';
import { change, create, cycled, decide, made, path, pending, recipe, serving } from './pipelines.js';
import { custom, fetched, has, openTraining, report, shop, trained, training } from './training.js';
import { expected, forecast, inState, quantile, refused, type World } from './world.js';

// An uploaded model in a pipeline of its own: evaluated once without a fit, then promoted as any other
// (specification 4.6, 4.9; open-parts 8, 9, 32.15).

suite('acceptance: pipelines of uploaded models', test => {
  let world: World;
  let [segment, id, uid] = ['', '', ''];
  let pipeline = '';
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
    segment = (await shop(world.api, 150)).segment_id;
    ({ id, uid } = await registered(world.api, lastPlus([0, 0, 0, 0, 0, 0, 0]), signed(), { name: 'Again' }));
  });
  test.after(() => world.close());
  const body = (models: readonly object[]) => recipe(segment, models, { forecast_horizon: 7 });

  test('it stands alone, and never beside others', async () => {
    const drift = await custom(world.api, 'drift');
    for (const models of [
      [{ model: uid }, { model: drift }],
      [{ model: uid }, { family: 'presage', slug: 'nano' }],
    ]) {
      const answer = await create(world.api, body(models));
      assert.ok([400, 422].includes(answer.status), answer.text);
      assert.match(answer.text, /models|byom/i);
    }
    const alone = await world.api.post<Json>('/v1/training', { segment_id: segment, model: uid, horizon: 7 });
    assert.ok([202, 400, 409, 422].includes(alone.status), alone.text);
  });

  test('one that cannot reach the horizon is refused, whoever says how far', async () => {
    const far = async (of: string, forecast_horizon: number | null) => {
      const answer = await create(world.api, recipe(of, [{ model: uid }], { forecast_horizon }));
      const { message } = refused(answer, 400, 'horizon_above_cap');
      assert.match(message, /^models\[0\]: horizon: 8 is above the cap .*, 7$/);
    };
    await far(segment, 8);
    await far((await shop(world.api, 150, { horizon: 8 }, 'further')).segment_id, null);
  });

  test('it is evaluated once, with the report that every model has', async () => {
    pipeline = await made(world.api, body([{ model: uid }]));
    const cycle = await cycled(world.api, pipeline);
    assert.is(cycle.results.length, 1);
    const { training_id } = cycle.results[0];
    const record = await training(world.api, training_id);
    assert.equal([record.kind, record.status, record.pipeline_id], ['byom', 'completed', pipeline]);
    const found = await report(world.api, training_id);
    has(found, 'metric score metrics baseline skill folds per_step calibration residuals backtest warnings');
    assert.is(found.backtest.points.length, 3 * 7);
    assert.ok(found.score > 0);
    const charges = (await entriesOf(world.api, training_id)).filter(entry => entry.kind === 'charge');
    assert.ok(charges.length <= 1);
  });

  test('its training gives back the file that was uploaded', async () => {
    const { training_id } = (await cycled(world.api, pipeline)).results[0];
    const { data } = expected(await world.api.get<Json>(`/v1/training/${training_id}/download`));
    assert.is(data.format, 'original');
    const { bytes } = await fetched(data.download_url);
    assert.ok(bytes.equals(lastPlus([0, 0, 0, 0, 0, 0, 0])));
  });

  test('so does that of a public model of another workspace, until it is deleted', async () => {
    const bytes = lastPlus([1, 0, 0, 0, 0, 0, 0]);
    const shared = await registered(world.api, bytes, signed(), { name: 'Shared', visibility: 'public' });
    const tenant = await world.tenant();
    const { segment_id } = await shop(tenant, 150);
    const { training_id } = await trained(tenant, { segment_id, model: shared.uid, horizon: 7 });
    const path = `/v1/training/${training_id}/download`;
    const { data } = expected(await tenant.get<Json>(path));
    assert.is(data.format, 'original');
    assert.ok((await fetched(data.download_url)).bytes.equals(bytes));
    expected(await world.api.delete<Json>(byomPath(shared.id)));
    refused(await tenant.get<Json>(path), 410, 'file_not_kept');
  });

  test('but not that of one that was made public before others had its file by that', async () => {
    const id = await uploaded(world.api, lastPlus([2, 0, 0, 0, 0, 0, 0]), signed());
    await validated(world.api, id);
    const { platform, installed } = world.running;
    const { events } = platform.stores;
    const journal = `byom-${installed.workspaceId}.${id}`;
    const facts = (await events.read(journal, START, 10)) as Fact<ByomFact>[];
    const {
      data: ended,
      meta,
      revision,
    } = facts.at(-1) as Extract<Fact<ByomFact>, { type: 'ByomValidationEnded' }>;
    const { name, format, signature, by } = (facts[0] as Extract<Fact<ByomFact>, { type: 'ByomUploaded' }>)
      .data;
    const data = {
      ...{
        workspace: installed.workspaceId,
        byomId: id,
        uid: uidOf(id),
        name,
        visibility: 'public',
        tags: [],
      },
      ...{ format, signature, network: ended.network, by },
    };
    const fact = { id: platform.newId(), at: world.now(), meta, type: 'ByomRegistered', data };
    await platform.visible((await events.append(journal, revision, [fact] as never)).position);
    const tenant = await world.tenant();
    const [theirs, own] = [(await shop(tenant, 150)).segment_id, segment];
    const file = async (api: Client, segment_id: string) => {
      const { training_id } = await trained(api, { segment_id, model: uidOf(id), horizon: 7 });
      return api.get<Json>(`/v1/training/${training_id}/download`);
    };
    refused(await file(tenant, theirs), 409, 'not_exportable');
    assert.is(expected(await file(world.api, own)).data.format, 'original');
  });

  test('nor is it given a horizon later that it cannot reach', async () => {
    refused(await change(world.api, pipeline, { forecast_horizon: 8 }), 400, 'horizon_above_cap');
  });

  test('it is promoted, and forecasts for the pipeline', async () => {
    await pending(world.api, pipeline);
    expected(await decide(world.api, pipeline, { decision: 'approve' }));
    const { promotion_id } = await serving(world.api, pipeline);
    const { data } = expected(await world.api.get<Json>(`/v1/deployments/${promotion_id}`));
    assert.is(data.deployment_type, 'byom');
    const { data: points } = expected(await world.api.get<Json>('/v1/signal/points?key=orders&limit=1'));
    const last = points.points[0]?.value ?? points.points[0]?.[1];
    const answer = await forecast(world.api, { pipeline_id: pipeline, key: 'orders', horizon: 7 });
    const medians = quantile(answer.forecasts[0].points, 0.5);
    assert.ok(medians.every(value => value === medians[0]));
    if (typeof last === 'number') assert.ok(Math.abs(medians[0]! - last) < 1e-3);
    refused(await world.api.delete<Json>(byomPath(id)), 409, 'IN_USE');
  });

  test('when the pipeline is gone and nothing is served, it may be deleted', async () => {
    const { promotion_id } = await serving(world.api, pipeline);
    expected(await world.api.delete<Json>(path(pipeline)));
    const answer = await world.api.post<Json>(`/v1/deployments/${promotion_id}/unpromote`, {});
    assert.ok([200, 409].includes(answer.status), answer.text);
    await inState(world.api, promotion_id, 'retired');
    const gone = await world.api.delete<Json>(byomPath(id));
    assert.is(expected(gone).status, 'deleted');
  });
});
