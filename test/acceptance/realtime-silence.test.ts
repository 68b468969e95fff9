import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { connect } from './socket.js';
import { openWorld } from './world.js';

// Who says nothing for 90 s is taken for gone, who pings is not (open-parts 22, 32.35).

suite('acceptance: a silent connection', test => {
  test('a connection that says nothing for 90 s is sent away with 4408, one that pings stays', async () => {
    const world = await openWorld();
    try {
      const { base, installed } = world.running;
      const [silent, alive] = [await connect(base, installed.token), await connect(base, installed.token)];
      for (const wait of [60_000, 35_000]) {
        world.later(wait);
        await alive.settled();
      }
      assert.is((await silent.closed()).code, 4408);
      await alive.settled();
      alive.close();
    } finally {
      await world.close();
    }
  });
});
