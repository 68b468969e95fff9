import * as assert from 'uvu/assert';
import type { Fact } from '../../domain/fact.js';
import { DAY, HOUR } from '../../domain/time.js';
import { users } from '../../domain/users/decider.js';
import { notificationsProjection } from '../../projections/notifications/projection.js';
import { expiringTokens } from '../../workers/expiring-tokens.js';
import { answerOf } from '../../workers/engine/reactor.js';
import { silent, startPlatform, until } from '../platform.js';
import { suite } from '../suite.js';
import { data, notificationsApi, type Item, type NotificationsApi } from './notifications-world.js';

/** More than are told at once. */
const MANY = 230;

suite('who is told of what', test => {
  let world: NotificationsApi;
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after(() => world.close());
  const ofKind = (kind: string, who = world.ann) =>
    world.feed(`?kind=${kind}&per_page=100`, who).then(({ notifications }) => notifications);

  test('an owner of a token, a week and a day before it ends, once each', async () => {
    const { ann, clock, api } = world;
    const make = async (name: string, days: number): Promise<string> => {
      const made = await ann.post('/v1/user/api-tokens', { name, expires_in_days: days });
      return data<{ token_id: string }>(made).token_id;
    };
    const long = await make('long', 30);
    const short = await make('short', 5);
    const gone = await make('gone', 30);
    assert.is((await ann.delete(`/v1/user/api-tokens/${gone}`)).status, 200);
    const told = (count: number): Promise<Item[]> =>
      until(async () => {
        const found = await ofKind('token.expiring');
        return found.length === count && found;
      }, `${count} notifications of tokens`);
    clock.now += 4 * DAY + HOUR;
    const [first] = await told(1);
    assert.equal([first!.data['token_id'], first!.data['days']], [short, 1]);
    assert.is(first!.workspace_id, null);
    clock.now += 19 * DAY;
    const [week] = await told(2);
    assert.equal([week!.data['token_id'], week!.data['days']], [long, 7]);
    assert.is(week!.severity, 'warning');
    clock.now += 6 * DAY;
    const [day] = await told(3);
    assert.equal([day!.data['token_id'], day!.data['days'], day!.severity], [long, 1, 'critical']);
    assert.ok(day!.title.includes('long'));
    // Another process that does this begins anew, and finds it done
    const { areas, newId } = api.platform;
    const { commands } = areas.notifications;
    const facts = await factsOf('inbox-');
    let asked = 0;
    const another = expiringTokens({
      ...{ accounts: areas.identity.accounts, clock: () => clock.now, newId, log: silent },
      async *recipients() {
        yield [{ uid: api.installed.uid, workspace: null, preferences: null, channels: [], timezone: 'UTC' }];
      },
      commands: {
        async tell(...told) {
          await commands.tell(...told);
          asked++;
        },
      },
    });
    await until(async () => asked > 0, 'a round');
    await another.stop();
    assert.is(await factsOf('inbox-'), facts);
  });

  const factsOf = async (prefix: string): Promise<number> => {
    const page = await world.api.platform.stores.events.page(-1, 100_000);
    return page.filter(({ journal }) => journal.startsWith(prefix)).length;
  };

  test('operators of workspaces that have a model in service, when it is deprecated', async () => {
    const { ann, api, people, bob } = world;
    const model = { family: 'presage', slug: 'nano' };
    assert.is((await ann.post('/v1/models/deploy-foundation', model)).status, 201);
    const { platform } = api;
    const instead = { family: 'presage', slug: 'mini' };
    const { operated } = platform.areas.models;
    await operated.deprecate(model, instead, people.operator());
    const [item] = await until(async () => {
      const found = await ofKind('model.deprecated');
      return found.length > 0 && found;
    });
    const models = { model: 'presage/nano', replacement: 'presage/mini' };
    assert.equal(item!.data, { blueprint_uid: 'presage__nano', ...models });
    assert.is(item!.title, 'Model presage/nano is deprecated');
    assert.equal(await ofKind('model.deprecated', bob), []);
    await operated.reinstate(model, people.operator());
  });

  test('who is invited again within the hour, together with the first one', async () => {
    const { ann, bob, workspace, clock } = world;
    const path = `/v1/workspace/${workspace}/invitations`;
    const invite = async (): Promise<string> => {
      const made = await ann.post(path, { email: 'other@example.org', role: 'viewer' });
      assert.is(made.status, 201, made.text);
      assert.match(String(made.headers['ratelimit-policy']), '"heavy"');
      return made.body.data['invitation_id'] as string;
    };
    const told = (id: string): Promise<Item> =>
      until(
        async () =>
          (await ofKind('workspace.invitation', bob)).find(({ data: of }) => of['invitation_id'] === id),
        'the invitation',
      );
    const first = await invite();
    const before = await told(first);
    await ann.delete(`${path}/${first}`);
    const merged = await told(await invite());
    assert.equal([merged.notification_id, merged.count], [before.notification_id, 2]);
    clock.now += HOUR;
  });

  test('who comes later, of the invitations that are open then, once each', async () => {
    const { ann, bob, workspace, people, clock, api, clientFor } = world;
    const invite = async (group: string, who = ann): Promise<string> => {
      const body = { email: 'late@example.org', role: 'viewer' };
      const made = await who.post(`/v1/${group}/invitations`, body);
      assert.is(made.status, 201, made.text);
      return made.body.data['invitation_id'] as string;
    };
    await invite(`workspace/${world.other.workspaceId}`, bob);
    clock.now += 60 * DAY;
    const revoked = await invite(`workspace/${workspace}`);
    await ann.delete(`/v1/workspace/${workspace}/invitations/${revoked}`);
    const first = await invite(`workspace/${workspace}`);
    clock.now += HOUR;
    const second = await invite(`organization/${api.installed.organizationId}`);
    const late = await people.tenant('Late@example.org');
    const theirs = clientFor(late);
    const { notifications } = await world.told(2, '?kind=workspace.invitation', theirs);
    const idOf = ({ data: of }: Item) => of['invitation_id'];
    assert.equal(notifications.map(idOf).sort(), [first, second].sort());
    const named = { organization_id: api.installed.organizationId, organization_name: 'Org' };
    const ofOrganization = notifications.find(item => idOf(item) === second);
    assert.equal(ofOrganization!.data, { ...named, role: 'viewer', invitation_id: second });
    // Both facts tell of it, whichever is seen again
    const facts = await api.platform.stores.events.page(-1, 100_000);
    const { handle, load, areas } = api.platform;
    const again = facts.filter(
      ({ type, data: of }) =>
        (type === 'InvitationIssued'
          && [first, second].includes((of as { invitationId: string }).invitationId))
        || (type === 'UserRegistered' && (of as { uid: string }).uid === late.uid),
    );
    assert.is(again.length, 3);
    const theirInbox = `inbox-${late.uid}`;
    const told = await factsOf(theirInbox);
    for (const fact of again)
      await answerOf(areas.notifications.reactors[0]!, fact, clock.now, { handle, load });
    assert.is(await factsOf(theirInbox), told);
    theirs.close();
  });

  test('many members, each once, also when the fact is seen again', async () => {
    const { people, workspace, api } = world;
    const { platform } = api;
    const { areas, handle, load, stores } = platform;
    const context = people.operator();
    for (let i = 0; i < MANY; i++) {
      const uid = `usr_many${i}`;
      const personal = { of: uid, email: `many${i}@example.org`, name: 'M' };
      await handle(users, { type: 'RegisterUser', data: { uid, homeCell: 'local', personal } }, context);
      await people.groups.addMember('workspace', workspace, null, uid, 'operator', context);
    }
    await world.degrade('prm_many');
    const all = async () =>
      (await stores.events.page(-1, 100_000)).filter(
        ({ type, data: of }) =>
          type === 'NotificationRaised'
          && (of as { data: { promotion_id?: string } }).data.promotion_id === 'prm_many',
      );
    await until(async () => (await all()).length === MANY + 1, 'everybody is told');
    const [fact] = (await stores.events.page(-1, 100_000)).filter(
      ({ type, data: of }) =>
        type === 'DeploymentDegraded' && (of as { promotionId: string }).promotionId === 'prm_many',
    );
    const [reactor] = areas.notifications.reactors;
    await answerOf(reactor!, fact as Fact, world.clock.now, { handle, load });
    assert.is((await all()).length, MANY + 1);
    assert.is((await world.feed('?kind=deployment.degraded')).notifications[0]!.count, 1);
  });
});

suite('who is erased', test => {
  test('has no inbox, no preferences, and is told nothing any more', async () => {
    const world = await notificationsApi();
    try {
      const { api, people, other, bob, workspace } = world;
      await people.join('workspace', workspace, other.uid, 'operator');
      await bob.put('/v1/notifications/preferences', { digest: 'daily' });
      await world.degrade('prm_1');
      const inOurs = world.clientFor({ token: other.token, workspaceId: workspace });
      await world.told(1, '', inOurs);
      await inOurs.post('/v1/notifications/read-all', {});
      const { platform } = api;
      const context = people.operator();
      // What they own alone would hold them: it goes first
      for (const [kind, id] of [
        ['workspace', other.workspaceId],
        ['organization', other.organizationId],
      ] as const)
        await people.join(kind, id, api.installed.uid, 'owner');
      const { position } = await platform.areas.identity.users.erase(other.uid, context);
      await platform.visible(position);
      await world.degrade('prm_2');
      await world.told(2);
      const read = platform.read(notificationsProjection);
      assert.is(await read.count('notifications', { uid: other.uid }), 0);
      assert.is(await read.get('inboxes', other.uid), null);
      assert.is(await read.get('notification_preferences', other.uid), null);
    } finally {
      await world.close();
    }
  });

  test('and a restart tells nobody anything twice', async () => {
    const world = await notificationsApi();
    const { folder, api, clock } = world;
    await world.degrade('prm_1');
    await world.told(1);
    await api.stop();
    const again = await startPlatform(folder.path, { clock: () => clock.now, installed: api.installed });
    try {
      const { json } = await again.call('GET', '/v1/notifications');
      assert.equal(
        json.data.notifications.map(({ count }: Item) => count),
        [1],
      );
    } finally {
      await again.stop();
      folder.remove();
    }
  });
});
