import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { body, create, hours, made, move, openGoals, path, upToNow } from './goals.js';
import { expected, refused, type World } from './world.js';

// How many goals a plan allows (open-parts 23, 26, 27, 32.36).

suite('acceptance: caps of goals', test => {
  let world: World;
  const ids: string[] = [];
  test.before(async () => {
    world = await openGoals({ DEFAULT_PLAN: 'free' });
    await upToNow(world, 'demand', hours(60));
  });
  test.after(() => world.close());
  const quota = async (): Promise<Json> => {
    const { quotas } = expected(await world.api.get<Json>('/v1/billing/quota')).data;
    return quotas.find((each: Json) => each.name === 'goals');
  };

  test('a free plan has ten goals, drafts among them', async () => {
    for (let i = 0; i < 10; i++) ids.push(await made(world.api, body('demand', { name: `Goal ${i}` })));
    const { used, limit } = await quota();
    assert.equal([used, limit], [10, 10]);
    const { message } = refused(await create(world.api, body('demand')), 403, 'plan_limit_reached');
    assert.ok(message.length > 0);
    const dry = await create(world.api, body('demand'), '?dry_run=true');
    refused(dry, 403, 'plan_limit_reached');
  });

  test('archived ones do not count, and come back only where there is room', async () => {
    expected(await move(world.api, ids[0]!, 'archive'));
    assert.is((await quota()).used, 9);
    ids.push(await made(world.api, body('demand')));
    refused(await move(world.api, ids[0]!, 'restore'), 403, 'plan_limit_reached');
    expected(await world.api.delete<Json>(path(ids[1]!)));
    assert.is((await quota()).used, 9, 'a deleted one neither');
    expected(await move(world.api, ids[0]!, 'restore'));
    assert.is((await quota()).used, 10, 'a paused one does');
    refused(await create(world.api, body('demand')), 403, 'plan_limit_reached');
  });

  test('the cap is an organization’s: of ten calls at once for the last place one is taken', async () => {
    expected(await world.api.delete<Json>(path(ids[2]!)));
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(world.api, body('demand'))));
    assert.equal(answers.map(each => each.status).toSorted(), [201, ...Array.from({ length: 9 }, () => 403)]);
    assert.is((await quota()).used, 10);
  });
});
