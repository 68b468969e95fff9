import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import { path, refused, tokenCalls } from './token-calls.js';

suite('many tokens', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld();
  });
  test.after(() => world.close());
  const { make, list } = tokenCalls(() => world);

  test('a user has at most 100 that work', async () => {
    const { token_id: first } = await make();
    while ((await list('&status=active')).total < 100) await make();
    const more = await world.client.post(path, { name: 'one more' });
    refused(more, 409, 'too_many_tokens');
    assert.is(more.body.error.details['limit'], 100);
    const replace = (grace_seconds: number) =>
      world.client.post<{ data: { token_id: string } }>(`${path}/${first}/regenerate`, { grace_seconds });
    assert.is((await replace(60)).status, 409);
    const { status, body } = await replace(0);
    assert.is(status, 200);
    assert.is((await world.client.delete(`${path}/${body.data.token_id}`)).status, 200);
    await make();
    assert.is((await list('&status=active')).total, 100);
  });
});
