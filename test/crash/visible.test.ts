import * as assert from 'uvu/assert';
import { eventCommands } from '../../commands/events.js';
import { readConfig } from '../../config.js';
import { openPlatform } from '../../main.js';
import { eventsProjection } from '../../projections/events/projection.js';
import { dataFolder, get, serve } from '../cli/presage.js';
import { silent, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));

suite('what was acknowledged is visible', test => {
  test('to the first reader after a start, although the read models were behind', async () => {
    const DATA_DIR = dataFolder();
    const EVENTS = 5_000;
    const platform = await openPlatform({
      config: readConfig({ DATA_DIR }),
      log: silent,
      running: [],
      owner: 'a test',
    });
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: Date.now(),
    };
    const { token, workspaceId } = await platform.areas.identity.install(
      {
        organization: 'O',
        workspace: 'W',
        email: 'a@example.org',
        name: 'A',
        domainTerms: [],
        cell: 'local',
      },
      context,
    );
    const { record } = eventCommands(platform.handle);
    const submission = (n: number) => ({
      key: 'late',
      text: `Event ${n}`,
      occurredAt: 1_750_000_000_000 + n,
      details: {},
    });
    await Promise.all(
      Array.from({ length: EVENTS }, (_, n) =>
        record(workspaceId, submission(n), { ...context, workspace: workspaceId }),
      ),
    );
    await platform.stop();

    const running = await serve({ DATA_DIR }, '--role', 'api,projections');
    const answer = await get(
      running.base,
      { token, workspace: workspaceId },
      '/v1/event/streams?points=none',
    );
    assert.is(answer.status, 200);
    const { data } = (await answer.json()) as { data: { streams: { key: string; count: number }[] } };
    assert.equal(
      data.streams.map(({ key, count }) => [key, count]),
      [['late', EVENTS]],
    );
    assert.is((await running.stop()).code, 0);
  });

  test('also to one whose request only repeats another that is under way', async () => {
    const folder = temporaryFolder();
    const api = await startPlatform(folder.path);
    const body = { key: 'k', text: 'Twice at once', occurred_at: 1_750_000_000 };
    const record = () => api.call('POST', '/v1/event/record', { body });
    const { first, second, early } = await api.platform.projectors.of(eventsProjection)!.holding(async () => {
      const before = await api.platform.stores.events.head();
      const first = record();
      while ((await api.platform.stores.events.head()) === before) await pause(5);
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

  /** Records while nothing is projected, and tells whether it was answered by the time `during` is over. */
  const recordHeld = async (api: Running, during: () => Promise<unknown>): Promise<boolean> => {
    const { answer, early } = await api.platform.projectors.of(eventsProjection)!.holding(async () => {
      const answer = api.call('POST', '/v1/event/record', {
        body: { key: 'k', text: 'Held', occurred_at: 1_750_000_000 },
      });
      return { answer, early: await Promise.race([answer.then(() => true), during().then(() => false)]) };
    });
    assert.is((await answer).status, 200);
    return early;
  };

  test("a wait ends in its time, also when the platform's clock stands still", async () => {
    const folder = temporaryFolder();
    const clock = () => 1_800_000_000_000;
    const env = { VISIBLE_WITHIN_MS: '200' };
    const api = await startPlatform(folder.path, { clock, env });
    assert.is(await recordHeld(api, () => pause(20_000)), true);
    await api.stop();
    // With nobody to project it is asked for
    const alone = await startPlatform(folder.path, {
      clock,
      env,
      installed: api.installed,
      running: ['api'],
    });
    assert.is((await alone.call('POST', '/v1/user/ui-flags', { body: { flag: 'f', value: 1 } })).status, 200);
    await alone.stop();
    folder.remove();
  });

  test('and not sooner because somebody set that clock', async () => {
    const folder = temporaryFolder();
    let now = 1_800_000_000_000;
    const api = await startPlatform(folder.path, { clock: () => now, env: { VISIBLE_WITHIN_MS: '60000' } });
    assert.is(
      await recordHeld(api, async () => {
        await pause(100);
        now += 86_400_000;
        await pause(400);
      }),
      false,
    );
    await api.stop();
    folder.remove();
  });
});
