import * as assert from 'uvu/assert';
import { eventCommands } from '../../commands/events.js';
import { install } from '../../commands/installation.js';
import { readConfig } from '../../config.js';
import { openPlatform } from '../../main.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { dataFolder, get, serve } from '../cli/presage.js';
import { silent, startPlatform, temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

suite('what was acknowledged is visible', test => {
  test('to the first reader after a start, although the read models were behind', async () => {
    const DATA_DIR = dataFolder(), EVENTS = 5_000;
    const platform = await openPlatform({ config: readConfig({ DATA_DIR }), log: silent, running: [], owner: 'a test' });
    const context = { workspace: null, actor: 'operator', request: null, correlation: 'c', causation: null, at: Date.now() };
    const { token, workspaceId } = await install(platform.handle,
      { organization: 'O', workspace: 'W', email: 'a@example.org', name: 'A', domainTerms: [], cell: 'local' }, context);
    const { record } = eventCommands(platform.handle);
    const submission = (n: number) => ({ key: 'late', text: `Event ${n}`, occurredAt: 1_750_000_000_000 + n, details: {} });
    await Promise.all(Array.from({ length: EVENTS }, (_, n) =>
      record(workspaceId, submission(n), { ...context, workspace: workspaceId })));
    await platform.stop();

    const running = await serve({ DATA_DIR }, '--role', 'api,projections');
    const answer = await get(running.base, { token, workspace: workspaceId }, '/v1/event/streams?points=none');
    assert.is(answer.status, 200);
    const { data } = await answer.json() as { data: { streams: { key: string; count: number }[] } };
    assert.equal(data.streams.map(({ key, count }) => [key, count]), [['late', EVENTS]]);
    assert.is((await running.stop()).code, 0);
  });

  test('also to one whose request only repeats another that is under way', async () => {
    const folder = temporaryFolder(), api = await startPlatform(folder.path);
    const body = { key: 'k', text: 'Twice at once', occurred_at: 1_750_000_000 };
    const record = () => api.call('POST', '/v1/event/record', { body });
    const { first, second, early } = await api.platform.projectorOf(eventsProjection)!.holding(async () => {
      const before = await api.platform.stores.events.head(), first = record();
      while (await api.platform.stores.events.head() === before) await pause(5);
      const second = record();
      return { first, second, early: await Promise.race([second, pause(300)]) };
    });
    assert.not(early, 'it is not answered before the event can be seen');
    const { event_id } = (await second).json.data;
    assert.is((await first).json.data.event_id, event_id);
    assert.is((await api.call('GET', `/v1/event/${event_id}`)).status, 200);
    await api.stop();
    folder.remove();
  });
});
