import { Ajv2020 } from 'ajv/dist/2020.js';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { algorithms, called, NETWORK, RIDGE, TREES, type Algorithm } from './algorithms.js';
import { expected, openWorld, refused, type World } from './world.js';

// The algorithms that train here, in the public catalogue, with their parameters as JSON Schema (the issue's
// part 2; specification 4.5; open-parts 8, 32.19).

suite('acceptance: algorithms of the catalogue', test => {
  let world: World;
  let all: Algorithm[];
  test.before(async () => {
    world = await openWorld();
    all = await algorithms(world.api);
  });
  test.after(() => world.close());

  test('all are there: the baselines, mstl, a ridge, trees and a network', () => {
    for (const name of ['seasonal_naive', 'theta', 'ets', 'arima']) called(all, new RegExp(`^${name}$`));
    for (const name of [/mstl/, RIDGE, TREES, NETWORK]) called(all, name);
    assert.is(new Set(all.map(each => each.name)).size, all.length, 'each name once');
  });

  test('each says what it is, what it takes, and how well it did', () => {
    for (const { name, blueprint } of all) {
      assert.type(blueprint.name, 'string', name);
      assert.ok(blueprint.description.length > 20, name);
      assert.is(blueprint.visibility, 'public', name);
      assert.ok(blueprint.license && Array.isArray(blueprint.versions), name);
      assert.ok(
        JSON.stringify(blueprint.inputs).length > 2 && JSON.stringify(blueprint.outputs).length > 2,
        name,
      );
      assert.match(JSON.stringify(blueprint.benchmarks), /mase|wql|crps/i, name);
      assert.match(blueprint.created_at, /Z$/, name);
    }
  });

  test('each schema is a JSON Schema, takes nothing unknown, and its defaults are valid', () => {
    for (const { name, schema } of all) {
      const ajv = new Ajv2020({ strict: false, useDefaults: true });
      const holds = ajv.compile(schema);
      const whole: Json = {};
      assert.ok(holds(whole), `${name} without any: ${ajv.errorsText(holds.errors)}`);
      assert.ok(holds(whole), `${name} with its defaults`);
      assert.is(schema.type, 'object', name);
      assert.is(holds({ crystal_ball: true }), false, name);
    }
  });

  test('the trees have a learning rate, a size and monotone constraints', () => {
    const keys = Object.keys(called(all, TREES).schema.properties).join(' ');
    for (const what of [/rate|eta/, /depth|leaves/, /monoton/]) assert.match(keys, what);
  });

  test('each is found by what it is called, and by no other kind', async () => {
    for (const { blueprint, uid } of all) {
      const query = `?search=${encodeURIComponent(blueprint.name)}&limit=100`;
      const { models } = expected(await world.api.get<Json>(`/v1/models/public${query}`)).data;
      assert.ok(
        models.some((row: Json) => row.uid === uid),
        blueprint.name,
      );
    }
  });

  test('what the platform has, nobody changes or deletes', async () => {
    const { uid } = all[0]!;
    const path = `/v1/models/${uid}`;
    for (const method of ['PATCH', 'PUT', 'DELETE']) {
      const verbs = world.api.description.paths['/v1/models/{blueprint_uid}']!;
      if (!verbs[method.toLowerCase()]) continue;
      const answer = await world.api.send<Json>({ method, path, body: method === 'DELETE' ? undefined : {} });
      assert.ok([403, 404, 409].includes(answer.status), `${method}: ${answer.text}`);
    }
    expected(await world.api.get<Json>(path));
    refused(await world.api.get<Json>('/v1/models/algorithm__of_nobody'), 404);
  });
});
