import * as assert from 'uvu/assert';
import { lease } from '../../workers/engine/lease.js';
import { startPlatform } from '../platform.js';
import { suite } from '../suite.js';
import { dataFolder, endAll, presage } from './presage.js';

suite('a replay after one that was killed', test => {
  test.after(endAll);

  test('begins at once on embedded stores: nobody else can be at it', async () => {
    const DATA_DIR = dataFolder();
    const platform = await startPlatform(DATA_DIR, { running: ['projections'] });
    const { stores, clock } = platform.platform;
    const killed = { holder: 'presage replay, killed', ttlMs: 600_000, clock };
    assert.ok(await lease(stores.kv, 'replay identity', killed).acquire());
    await platform.stop();

    const { code, stdout, stderr } = await presage(['replay', '--projection', 'identity'], { DATA_DIR });
    assert.is(code, 0, stderr);
    assert.match(stdout, /^identity: built anew/);
  });
});
