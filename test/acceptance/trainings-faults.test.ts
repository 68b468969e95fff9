import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { built, create, daily, FROM } from './tables.js';
import { airline, custom, openTraining, over, queue, queued } from './training.js';
import { expected, places, push, refused, type World } from './world.js';

// What may not be trained, and which field and fault the refusal names (specification 4.5, 7; open-parts 0.3,
// 10, 26, 32.13, 32.18).

suite('acceptance: trainings that are refused', test => {
  let world: World;
  let segment_id = '';
  let model = '';
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await airline(world.api));
    model = await custom(world.api, 'theta');
  });
  test.after(() => world.close());

  const ask = (more: object) => queue(world.api, { segment_id, model, horizon: 12, ...more });
  const tuned = (more: object) => ask({ model: undefined, family: 'presage', slug: 'nano', ...more });

  test('a body lacks what it needs, or has it in another form', async () => {
    const named = async (more: object, place: string) => {
      const found = places(await ask(more));
      assert.ok(found.includes(place), `${found} instead of ${place}`);
    };
    await named({ segment_id: undefined }, 'body.segment_id');
    await named({ segment_id: 7 }, 'body.segment_id');
    for (const horizon of [0, -1, 1.5, 'twelve']) await named({ horizon }, 'body.horizon');
    for (const seed of ['x', 1.5]) await named({ seed }, 'body.seed');
    await named({ max_credits: -1 }, 'body.max_credits');
    assert.equal(places(await tuned({ intensity: 'mild' })), ['body.intensity']);
    for (const lookback of [0, 'all']) assert.equal(places(await tuned({ lookback })), ['body.lookback']);
  });

  test('a model is named in one way', async () => {
    const none = await ask({ model: undefined });
    assert.ok([400, 422].includes(none.status), none.text);
    if (none.status === 400) refused(none, 400, 'model_reference_required');
    const half = await ask({ model: undefined, family: 'presage' });
    assert.ok([202, 400, 422].includes(half.status), half.text);
    if (half.status === 202) await over(world.api, half.body.data.training_id);
  });

  test('what is unknown is named', async () => {
    const unknown = await ask({ segment_id: 'seg_nobodys' });
    assert.ok([404, 422].includes(unknown.status), unknown.text);
    const nobodys = await ask({ model: 'mdl_nobodys' });
    assert.ok([404, 422].includes(nobodys.status), nobodys.text);
    const { message } = refused(await tuned({ slug: 'colossus' }), 404, 'model_not_available');
    assert.match(message, 'presage/colossus');
    assert.match(
      refused(await tuned({ family: 'nobodys', slug: 'x' }), 400, 'family_unavailable').message,
      'nobodys',
    );
  });

  test('what is beyond the caps of a family names field, family and cap', async () => {
    const lookback = refused(await tuned({ lookback: 5_000 }), 400, 'lookback_above_cap').message;
    for (const part of ['lookback', 'presage', '2048']) assert.match(lookback, part);
    const horizon = refused(await tuned({ horizon: 900 }), 400, 'horizon_above_cap').message;
    for (const part of ['horizon', 'presage', '720']) assert.match(horizon, part);
  });

  test('a body that is no JSON, and one of another type', async () => {
    const sent = (body: string, type = 'application/json') =>
      world.api.send<Json>({
        method: 'POST',
        path: '/v1/training',
        body,
        headers: { 'content-type': type },
      });
    refused(await sent('{"segment_id":'), 400, 'invalid_json');
    refused(await sent('segment_id=1', 'text/plain'), 415, 'unsupported_media_type');
  });

  test('a table that is not built yet, or could not be, is waited for or told', async () => {
    await push(world.api, 'few', [1, 2, 3], { from: FROM });
    const split = { method: 'rolling_origin', folds: 5, horizon: 12, gap: 0 };
    const { data } = expected(await create(world.api, daily('few', { split })), 201);
    const answer = await ask({ segment_id: data.segment_id });
    if (answer.status === 202) {
      const { status, error } = await over(world.api, answer.body.data.training_id);
      assert.is(status, 'failed');
      for (const name of ['code', 'message', 'retryable']) assert.ok(Object.hasOwn(error, name), name);
      assert.is(error.retryable, false);
    } else assert.ok([409, 422].includes(answer.status), answer.text);
  });

  test('a table without a single value fails with a reason, and leaves nothing behind', async () => {
    await push(
      world.api,
      'flat',
      Array.from({ length: 100 }, () => 5),
      { from: FROM },
    );
    const split = { method: 'rolling_origin', folds: 3, horizon: 7, gap: 0 };
    const flat = await built(world.api, daily('flat', { split }));
    const found = await over(
      world.api,
      await queued(world.api, { segment_id: flat.segment_id, model, horizon: 7 }),
    );
    assert.ok(['completed', 'failed'].includes(found.status));
    if (found.status === 'completed') assert.not.match(JSON.stringify(found.report), /NaN|Infinity/);
    else assert.type(found.error.message, 'string');
  });

  test('a segment that was deleted, or a model of somebody else, cannot be trained', async () => {
    const own = await airline(world.api, {}, 'air.gone');
    expected(await world.api.delete<Json>(`/v1/segment/${own.segment_id}`));
    assert.ok([404, 422].includes((await ask({ segment_id: own.segment_id })).status));
    const tenant = await world.tenant();
    const theirs = await custom(tenant, 'theta');
    assert.ok([404, 422].includes((await ask({ model: theirs })).status));
    const open = await custom(tenant, 'theta', { visibility: 'public' });
    const answer = await ask({ model: open });
    const { status } = await over(world.api, expected(answer, 202).data.training_id);
    assert.is(status, 'completed', 'a public one may be used by everybody');
  });
});
