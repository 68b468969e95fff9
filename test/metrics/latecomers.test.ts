import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { familiesOf } from './text.js';

/** More than the reactor is left alone with. */
const TEXTS = 80;

suite('scores that are given ahead of their turn', test => {
  test('are timed with those of the reactor', async () => {
    const folder = temporaryFolder();
    const env = { METRICS_LISTEN: '127.0.0.1:0', SCORER_THREADS: '1' };
    const before = await startPlatform(folder.path, { env, running: ['api', 'projections'] });
    const { installed } = before;
    const made = await before.call('POST', '/v1/workspace', { body: { name: 'Second' } });
    for (const workspace of [installed.workspaceId, made.json.data.workspace_id]) {
      const events = Array.from({ length: TEXTS }, (_, nth) => ({
        key: 'news',
        text: `Exports halt ${nth}`,
      }));
      const headers = { 'x-workspace-id': workspace };
      const { json } = await before.call('POST', '/v1/event/record-batch', { body: { events }, headers });
      assert.is(json.data.accepted, TEXTS);
    }
    await before.stop();

    const { platform, stop } = await startPlatform(folder.path, { env, installed });
    const head = await platform.stores.events.head();
    await until(async () => (await platform.stores.models.checkpoint('reactor_scoring')) >= head, 'scores');
    const text = await platform.metrics!.text();
    await stop();
    folder.remove();
    const reactions = familiesOf(text)
      .get('presage_reaction_duration_seconds')!
      .samples.filter(({ name, labels }) => name.endsWith('_count') && labels['reactor'] === 'scoring')
      .reduce((sum, { value }) => sum + value, 0);
    // The reactor comes by everything once; who looks ahead of it comes beside
    assert.ok(reactions > 2 * TEXTS, `${reactions}`);
  });
});
