import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { algorithms, type Algorithm } from './algorithms.js';
import { airline, openTraining, trained } from './training.js';
import { expected, places, refused, type World } from './world.js';

// A model of one's own: an algorithm, and the parameters that its schema allows (specification 2.5, 4.5;
// open-parts 8, 31.1, 32.19).

suite('acceptance: custom models', test => {
  let world: World;
  let all: Algorithm[];
  test.before(async () => {
    world = await openTraining();
    all = await algorithms(world.api);
  });
  test.after(() => world.close());
  const body = (more: object = {}) => ({
    kind: 'custom',
    name: 'Ours',
    purpose: 'forecast',
    description: 'of the shop',
    visibility: 'private',
    categories: ['retail'],
    tags: ['orders', 'daily'],
    metadata: { team: 'shop', nested: { a: [1, null] } },
    algorithm: 'ets',
    hyperparameters: {},
    ...more,
  });
  const make = (more: object = {}, api: Client = world.api) => api.post<Json>('/v1/models', body(more));
  const one = async (uid: string, api: Client = world.api): Promise<Json> =>
    expected(await api.get<Json>(`/v1/models/${uid}`)).data;

  test('it is made, and is what was said', async () => {
    const { data } = expected(await make({ hyperparameters: { period: 12 } }));
    assert.type(data.message, 'string');
    const found = await one(data.uid);
    for (const name of ['name', 'purpose', 'description', 'visibility', 'categories', 'tags', 'metadata'])
      assert.equal(found[name], (body() as Json)[name], name);
    assert.equal([found.kind, found.algorithm, found.uid], ['custom', 'ets', data.uid]);
    assert.is(found.owner.user_id, world.running.installed.uid);
    assert.match(JSON.stringify(found), /"period":12/);
  });

  test('names may be any text, and the same twice', async () => {
    for (const name of ['Ventes d’été', '売上', 'Ours', 'Ours', '<b>x</b>']) {
      const { uid } = expected(await make({ name })).data;
      assert.is((await one(uid)).name, name);
    }
  });

  test('what is missing or has another type is named', async () => {
    const named = async (more: object, place: string) => {
      const found = places(await make(more));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${found} instead of ${place}`,
      );
    };
    await named({ kind: 'clairvoyant' }, 'body.kind');
    await named({ kind: undefined }, 'body.kind');
    await named({ algorithm: undefined }, 'body.algorithm');
    await named({ algorithm: 'divination' }, 'body.algorithm');
    await named({ visibility: 'secret' }, 'body.visibility');
    for (const [name, value] of [
      ['name', 7],
      ['name', ''],
      ['purpose', []],
      ['description', {}],
      ['categories', 'retail'],
      ['tags', 'orders'],
      ['metadata', 'text'],
      ['hyperparameters', []],
    ] as const)
      await named({ [name]: value }, `body.${name}`);
    await named({ tags: [1] }, 'body.tags');
    await named({ name: 'x'.repeat(100_000) }, 'body.name');
  });

  test('each parameter is held to the schema of its algorithm', async () => {
    for (const { name: algorithm, schema } of all)
      for (const [key, property] of Object.entries<Json>(schema.properties ?? {})) {
        const wrong: unknown[] = [{ a: 'thing' }];
        if (typeof property.maximum === 'number') wrong.push(property.maximum + 1);
        if (typeof property.minimum === 'number') wrong.push(property.minimum - 1);
        if (property.enum) wrong.push('none of them');
        if (property.type === 'integer') wrong.push((property.minimum ?? 1) + 0.5);
        if (property.type === 'object') wrong.shift();
        for (const value of wrong) {
          const answer = await make({ algorithm, hyperparameters: { [key]: value } });
          assert.is(answer.status, 422, `${algorithm}.${key} = ${JSON.stringify(value)}: ${answer.text}`);
          const found = places(answer);
          assert.ok(
            found.some(each => each.startsWith(`body.hyperparameters.${key}`)),
            `${found} of ${algorithm}`,
          );
        }
      }
  });

  test('a parameter that is not in the schema is refused by name', async () => {
    for (const { name: algorithm } of all) {
      const answer = await make({ algorithm, hyperparameters: { crystal_ball: 1 } });
      assert.match(places(answer).join(), 'body.hyperparameters');
      assert.match(answer.text, 'crystal_ball');
    }
  });

  test('it takes models.write, and an editor', async () => {
    const reader = await world.withScopes(['models.read']);
    const { details } = refused(await make({}, reader), 403, 'insufficient_scope');
    assert.equal(details.required, ['models.write']);
    refused(await make({}, await world.member('analyst')), 403, 'role_forbidden');
    expected(await make({}, await world.member('editor')));
  });

  test('a public one is used by others, who see neither its owner’s address nor its trainings', async () => {
    const tenant = await world.tenant();
    const { uid } = expected(await make({ visibility: 'public', name: 'Shared ets' })).data;
    const mine = await airline(world.api);
    await trained(world.api, { segment_id: mine.segment_id, model: uid, horizon: 12 });
    const theirs = await airline(tenant);
    const record = await trained(tenant, { segment_id: theirs.segment_id, model: uid, horizon: 12 });
    assert.is(record.model.uid, uid);
    const seen = await one(uid, tenant);
    assert.is(JSON.stringify(seen).includes('@example.org'), false);
    const { total } = expected(await tenant.get<Json>(`/v1/training?model=${uid}`)).data;
    assert.is(total, 1);
  });

  test('one of the catalogue is trained as it is, without making a model first', async () => {
    const { segment_id } = await airline(world.api, {}, 'air.direct');
    const { uid } = all.find(each => each.name === 'theta')!;
    const record = await trained(world.api, { segment_id, model: uid, horizon: 12 });
    assert.equal([record.model.uid, record.kind], [uid, 'custom']);
  });
});
