import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { PROBE_FILE } from '../../cli/room.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, get, serve } from './presage.js';

suite('/ready on a full disk', test => {
  test.after(endAll);

  test('is 503 while nothing can be written, and 200 again when it can', async () => {
    const DATA_DIR = dataFolder();
    const running = await serve({ DATA_DIR });
    const who = await accountOf(running);
    const ready = async () => {
      const answer = await get(running.base, who, '/ready');
      const { checks } = (await answer.json()) as { checks: Record<string, string> };
      return { status: answer.status, checks };
    };
    assert.is((await ready()).status, 200);
    // Whatever is written to this device is refused as by a full disk; it is rid of after the look
    symlinkSync('/dev/full', join(DATA_DIR, PROBE_FILE));
    const full = await ready();
    assert.is(full.status, 503);
    assert.is(full.checks['disk'], 'the disk is full');
    const again = await ready();
    assert.is(again.status, 200);
    assert.is(again.checks['disk'], 'ok');
    await running.stop();
  });
});
