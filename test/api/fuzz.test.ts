import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { fuzz } from './fuzz.js';
import { inWorld } from './world.js';

suite('random calls', test => {
  const many = { limit: 1_000_000, windowS: 60, per: 'address' } as const;

  test('never end in a 5xx, and every answer is as described', async () => {
    const limits = {
      default: many,
      push: many,
      'push-points': many,
      'push-bytes': many,
      webhook: many,
      heavy: many,
      auth: many,
    };
    await inWorld({ limits }, async world => {
      world.toys.release();
      await fuzz(world.api, 3_000, ['trouble', 'streamToys']);
      assert.equal(world.logged, []);
    });
  });

  test('a 5xx would be found', async () => {
    await inWorld({ limits: { default: many } }, async world => {
      const operations = Object.values(world.api.description.paths).flatMap(item => Object.values(item));
      const others = operations.map(({ operationId }) => operationId).filter(name => name !== 'trouble');
      const error = await fuzz(world.api, 500, others).catch((thrown: unknown) => thrown);
      assert.match(String(error), /Property failed/);
    });
  });
});
