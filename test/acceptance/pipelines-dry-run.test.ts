import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { balance } from './money.js';
import { create, cycles, decide, dormant, made, path, pending, pipeline, recipe } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { expected, places, refused, type World } from './world.js';

// What a call would do, without its being done (open-parts 29.14), and calls that are repeated (29.4).

suite('acceptance: dry runs of pipelines', test => {
  let world: World;
  let [segment, model] = ['', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    model = await custom(world.api, 'drift');
  });
  test.after(() => world.close());
  const body = (more: object = {}) => recipe(segment, [{ model }], more);
  const total = async () => expected(await world.api.get<Json>('/v1/pipelines')).data.total;

  test('of a creation: nothing is made, and a wrong body is refused', async () => {
    const before = [await total(), await balance(world.api)];
    const answer = await create(world.api, body(), '?dry_run=true');
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.ok(answer.body.data, 'it says what would be');
    assert.equal([await total(), await balance(world.api)], before);
    assert.match(
      places(await create(world.api, body({ models: [] }), '?dry_run=true')).join(),
      'body.models',
    );
    assert.is(expected(await world.api.get<Json>('/v1/training')).data.total, 0);
  });

  test('of a run, a decision and a deletion: nothing has happened', async () => {
    const id = await made(world.api, body());
    await pending(world.api, id);
    const before = await pipeline(world.api, id);
    const money = await balance(world.api);
    for (const answer of [
      await world.api.post<Json>(path(id, '/run?dry_run=true'), {}),
      await world.api.post<Json>(path(id, '/promotion-decision?dry_run=true'), { decision: 'approve' }),
      await world.api.delete<Json>(path(id, '?dry_run=true')),
    ])
      assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.equal(await pipeline(world.api, id), before);
    assert.equal([(await cycles(world.api, id)).length, await balance(world.api)], [1, money]);
    assert.is(expected(await world.api.get<Json>('/v1/deployments')).total, 0);
    const wrong = { decision: 'approve', candidate_id: 'cnd_nobodys' };
    const refusedToo = await world.api.post<Json>(path(id, '/promotion-decision?dry_run=true'), wrong);
    refused(refusedToo, 409, 'candidate_changed');
  });

  test('under one Idempotency-Key a pipeline is made once, run once, decided once', async () => {
    const key = (name: string) => ({ 'idempotency-key': name });
    const make = () => world.api.post<Json>('/v1/pipelines', body({ ...dormant(world.now()) }), key('make'));
    const before = await total();
    const [one, two] = [await make(), await make()];
    assert.equal(expected(two, 201), expected(one, 201));
    assert.is(two.headers['idempotency-replayed'], 'true');
    assert.is(await total(), before + 1);
    const id = one.body.data.pipeline_id;
    const start = () => world.api.post<Json>(path(id, '/run'), {}, key('run'));
    assert.equal(expected(await start(), 202), expected(await start(), 202));
    await pending(world.api, id);
    assert.is((await cycles(world.api, id)).length, 1);
    const approve = () =>
      world.api.post<Json>(path(id, '/promotion-decision'), { decision: 'approve' }, key('approve'));
    assert.equal(expected(await approve()), expected(await approve()));
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
  });
});
