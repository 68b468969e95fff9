import * as assert from 'uvu/assert';
import type { Role } from '../../domain/groups/roles.js';
import { MINUTE } from '../../domain/time.js';
import { listen } from '../acceptance/sse.js';
import { until } from '../platform.js';
import { connect } from '../realtime/client.js';
import { answering, receiver } from '../receivers.js';
import { suite } from '../suite.js';
import { channelsApi, PATH } from './channels-world.js';

suite('who leaves an organization, or no longer looks after it', test => {
  let world: Awaited<ReturnType<typeof channelsApi>>;
  test.before.each(async () => {
    world = await channelsApi({ now: Date.now() });
  });
  test.after.each(() => world.close());

  const organization = () => world.api.installed.organizationId;
  const member = () => `/v1/organization/${organization()}/members/${world.other.uid}`;
  const join = (role: Role) => world.people.join('organization', organization(), world.other.uid, role);
  const runLow = async (): Promise<void> => {
    const { commands, queries } = world.platform.areas.billing;
    const { credits } = await until(async () => {
      const account = (await queries.account(organization()))?.account;
      return account && account.credits > 0 && account;
    }, 'the credits that an organization begins with');
    await commands.adjust(organization(), { amount: 1 - credits, note: null }, world.people.operator());
  };
  const kindsOf = async () => (await world.feed('', world.bob)).notifications.map(({ kind }) => kind);
  const becomes = (...kinds: string[]) =>
    until(async () => String(await kindsOf()) === String(kinds), `a feed of ${kinds.join() || 'nothing'}`);

  test('has nothing of it any more, and what waits for their channels is withdrawn', async () => {
    const hook = await receiver();
    const made = await world.bob.post<{ data: { channel_id: string } }>(PATH, {
      type: 'webhook',
      target: hook.url,
    });
    hook.answers(answering(503));
    await join('admin');
    await runLow();
    await world.told(1, '', world.bob);
    await until(async () => hook.deliveries().length === 1);
    const deliveries = `${PATH}/${made.body.data.channel_id}/deliveries`;
    type Deliveries = { data: { deliveries: { status: string; attempts: number }[] } };
    const status = async () => (await world.bob.get<Deliveries>(deliveries)).body.data.deliveries[0]!;
    await until(async () => (await status()).attempts === 1);
    assert.is((await status()).status, 'waiting');

    assert.is((await world.ann.delete(member())).status, 200);
    await becomes();
    world.clock.now += MINUTE;
    await until(async () => (await status()).status === 'withdrawn', 'a delivery that is withdrawn');
    assert.is(hook.deliveries().length, 1);
    assert.is((await world.feed()).total, 1, 'who stays keeps it');
    await hook.close();
  });

  test('keeps as a member what every member is told, and nothing of what was for admins', async () => {
    await join('admin');
    await runLow();
    await world.told(1, '', world.bob);
    world.clock.now += MINUTE;
    assert.is((await world.ann.patch(member(), { role: 'owner' })).status, 200);
    await becomes('workspace.role_changed', 'billing.low_balance');
    assert.is((await world.ann.patch(member(), { role: 'viewer' })).status, 200);
    await becomes('workspace.role_changed');
    const [item] = (await world.feed('', world.bob)).notifications;
    assert.is(item!.data['role'], 'viewer');
    assert.is((await world.ann.delete(member())).status, 200);
    await becomes();
  });

  test('hears of nothing that was on its way to them, in streams and on the gateway', async () => {
    const { uid, token } = world.other;
    const [stream, gateway] = [await listen(world.api.base, token), await connect(world.api.base, { token })];
    await gateway.subscribe(`user:${uid}`);
    const { commands } = world.platform.areas.notifications;
    async function* recipients() {
      yield [{ uid, workspace: null, preferences: null, channels: [], timezone: 'UTC' }];
    }
    const tell = (kind: string, data: object) =>
      commands.tell(
        { kind, data: { ...data }, goalId: null, groupKey: kind, to: { uid, workspace: null } },
        { id: kind, at: world.clock.now, position: null },
        recipients(),
        world.people.operator(),
      );
    // Whoever was to be told was looked up before they had left
    await join('viewer');
    await tell('billing.low_balance', { organization_id: organization() });
    await tell('workspace.role_changed', { organization_id: organization() });
    await tell('token.expiring', {});
    await stream.message(({ data }) => data.kind === 'token.expiring');
    await gateway.event(({ data }) => data['kind'] === 'token.expiring');
    const wanted = ['workspace.role_changed', 'token.expiring'];
    assert.equal(
      stream.messages().map(({ data }) => data.kind),
      wanted,
    );
    assert.equal(
      gateway.told().flatMap(({ event, data }) => (event === 'notification.created' ? [data['kind']] : [])),
      wanted,
    );
    stream.close();
    await gateway.end();
  });
});
