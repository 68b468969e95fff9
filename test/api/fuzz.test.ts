import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { fuzz } from './fuzz.js';
import { WORKSPACE, inWorld } from './world.js';

suite('random calls', test => {
  const many = { limit: 1_000_000, windowS: 60, per: 'address' } as const;

  test('never end in a 5xx, and every answer is as described', async () => {
    await inWorld({ limits: { default: many, push: many, 'push-points': many, webhook: many, heavy: many, auth: many } },
      async world => {
      world.toys.release();
      await fuzz(world.api, 3_000, ['trouble', 'streamToys']);
      assert.equal(world.logged, []);
    });
  });

  test('a 5xx would be found', async () => {
    await inWorld({ limits: { default: many } }, async world => {
      const trouble = world.api.as({ token: world.token, workspace: WORKSPACE });
      const error = await fuzz(trouble, 500, Object.values(world.api.description.paths).flatMap(item =>
        Object.values(item).map(({ operationId }) => operationId).filter(name => name !== 'trouble'))).catch(
          (thrown: unknown) => thrown,
        );
      assert.match(String(error), /Property failed/);
    });
  });
});
