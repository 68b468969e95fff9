import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { BACK_OFF } from '../../domain/notifications/channels/deliveries.js';
import { channelsProjection } from '../../projections/channels/projection.js';
import { channelsApi, PATH } from '../api/channels-world.js';
import { differences } from '../crash/inspect.js';
import { startPlatform, until } from '../platform.js';
import { answering, receiver } from '../receivers.js';
import { suite } from '../suite.js';

/** The files of a folder in which a text stands. */
const holding = (folder: string, text: string): string[] =>
  readdirSync(folder)
    .filter(file => statSync(join(folder, file)).isFile())
    .filter(file => readFileSync(join(folder, file)).includes(text));

suite('channels that end', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  let hook: Awaited<ReturnType<typeof receiver>>;
  test.before.each(async () => {
    world = await channelsApi({ now: Date.now() });
    hook = await receiver();
  });
  test.after.each(async () => {
    await world.close();
    await hook.close();
  });

  test('with their owner, and nothing of them stays in any file', async () => {
    const { platform, people, workspace } = world;
    const { person, mine } = await world.somebody('zoe@example.org');
    await people.join('workspace', workspace, person.uid, 'operator');
    const target = `${hook.url}/unmistakable-path`;
    const made = await mine.post(PATH, { type: 'webhook', name: 'Unmistakable name', target });
    const mail = await mine.post(PATH, { type: 'email', target: 'unmistakable@example.org' });
    assert.equal([made.body.data.status, mail.status], ['active', 201]);
    const id = made.body.data.channel_id as string;
    hook.answers(answering(500));
    await world.degrade('prm_0000000000000001_0');
    const { deliveries } = platform.areas.channels.queries;
    const failed = async () =>
      (await deliveries(id, 'waiting', { limit: 1, offset: 0 })).items[0]?.attempts === 1;
    await until(failed, 'a failed attempt');
    const texts = [
      'unmistakable-path',
      'Unmistakable name',
      'unmistakable@example.org',
      made.body.data.secret,
    ];
    await until(
      async () => holding(world.folder.path, 'Unmistakable name').length > 0,
      'documents on the disk',
    );

    assert.ok((await platform.areas.identity.users.erase(person.uid, people.operator())).cleared);
    await platform.visible(await platform.stores.events.head());
    assert.equal(await platform.areas.channels.queries.channelsOf(person.uid), []);
    assert.is((await deliveries(id, null, { limit: 1, offset: 0 })).total, 0);
    for (const text of texts) assert.equal(holding(world.folder.path, text), [], text);
    // What waited is not tried again
    const before = hook.deliveries().length;
    world.clock.now += BACK_OFF[0]!;
    await world.degrade('prm_0000000000000002_0');
    await world.told(2);
    assert.is(hook.deliveries().length, before);
    assert.equal(await differences(platform, channelsProjection), []);
  });

  test('where an address may no longer be asked it is not, and nothing is sent twice', async () => {
    const { ann, api, folder, clock } = world;
    const made = await ann.post(PATH, { type: 'webhook', target: hook.url });
    const id = made.body.data.channel_id as string;
    await world.degrade('prm_0000000000000001_0');
    const { queries } = world.platform.areas.channels;
    const all = async (of: typeof queries) => (await of.deliveries(id, null, { limit: 9, offset: 0 })).items;
    await until(async () => (await all(queries))[0]?.status === 'delivered', 'a delivery');
    const documents = await all(queries);
    await api.stop();

    const again = await startPlatform(folder.path, {
      installed: api.installed,
      running: ['api', 'projections', 'workers'],
      clock: () => clock.now,
    });
    try {
      const { platform } = again;
      const channels = platform.areas.channels.queries;
      assert.equal(await all(channels), documents);
      assert.equal(await differences(platform, channelsProjection), []);
      // The newest comes first
      clock.now += 1_000;
      const promotionId = 'prm_0000000000000002_0';
      const fact = { type: 'DeploymentDegraded', data: { promotionId, message: 'm' } };
      const meta = {
        ...{ workspace: world.workspace, actor: 'operator', request: null },
        correlation: 'c',
        causation: null,
      };
      const journal = `deployment-${world.workspace}.${promotionId}`;
      await platform.stores.events.append(journal, -1, [
        { ...fact, id: platform.newId(), at: clock.now, meta },
      ]);
      const [refused] = await until(async () => {
        const found = await all(channels);
        return found.length === 2 && found[0]!.attempts === 1 && found;
      }, 'an attempt');
      assert.equal([refused!.status, refused!.last_reason], ['waiting', 'address_not_allowed']);
      assert.is(hook.deliveries().length, 1);
    } finally {
      await again.stop();
    }
  });
});
