import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { connect } from './socket.js';
import { openWorld } from './world.js';

// Who says nothing for 90 s is taken for gone, who pings is not (open-parts 22, 32.35). It is the time of the
// machine, so this takes as long as it says.

suite('acceptance: a silent connection', test => {
  test('a connection that says nothing for 90 s is sent away with 4408, one that pings stays', async () => {
    const world = await openWorld();
    try {
      const { base, installed } = world.running;
      const [silent, alive] = [await connect(base, installed.token), await connect(base, installed.token)];
      const gone = () => silent.closed().catch(() => null);
      let closed = await gone();
      for (let waits = 0; !closed && waits < 6; waits++) {
        await alive.settled();
        closed = await gone();
      }
      assert.is(closed?.code, 4408);
      await alive.settled();
      alive.close();
    } finally {
      await world.close();
    }
  });
});
