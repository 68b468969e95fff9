import * as assert from 'uvu/assert';
import type { Description } from '../../api/edge/openapi.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf } from './client.js';
import { fuzz } from './fuzz.js';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 1_500);

suite('random calls of the whole platform', test => {
  const folder = temporaryFolder();
  let platform: Running;
  test.before(async () => {
    platform = await startPlatform(folder.path);
  });
  test.after(async () => {
    await platform.stop();
    folder.remove();
  });

  test('never end in a 5xx, and every answer is as described', async () => {
    const description = (await platform.call('GET', '/openapi/v1.json')).json as Description;
    const { token, workspaceId: workspace } = platform.installed;
    const api = clientOf(platform.base, description, { token, workspace });
    try {
      // These may end the very token that asks
      await fuzz(api, RUNS, ['revokeApiToken', 'regenerateApiToken']);
      const ready = await api.get('/ready');
      assert.is(ready.status, 200, JSON.stringify(ready));
    } finally {
      api.close();
    }
  });
});
