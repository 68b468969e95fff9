import * as assert from 'uvu/assert';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';

suite('what is shown of usage', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld({ env: { VISIBLE_WITHIN_MS: '10000' } });
  });
  test.after(() => world.close());

  test('waits for nothing that nobody was told yet', async () => {
    // Nothing is projected any more: who writes now is kept waiting
    await world.restart(['api']);
    const { token, workspaceId } = world.api.installed;
    const owner = world.as(token, workspaceId);
    let written = false;
    const writing = owner.post('/v1/event/record', { key: 's', text: 'a' }).then(() => {
      written = true;
    });
    const { events } = world.api.platform.stores;
    const before = await events.head();
    await until(async () => (await events.head()) > before, 'the fact');
    const answers = [await owner.get('/v1/billing/quota'), await owner.get('/v1/billing/usage')];
    assert.is(written, false);
    assert.equal(
      answers.map(({ status }) => status),
      [200, 200],
    );
    await writing;
  });
});
