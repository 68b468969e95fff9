import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { connect } from '../realtime/client.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { notificationsApi, type NotificationsApi } from './notifications-world.js';

const plan = {
  ...{ id: 'free', name: 'Free', credits: '100' },
  limits: { streaming_rows: 10, members: 2 },
};

suite('what is told of credits and quotas', test => {
  const tables = temporaryFolder();
  let world: NotificationsApi;
  test.before(async () => {
    const file = join(tables.path, 'plans.json');
    writeFileSync(file, JSON.stringify({ version: 'own', plans: [plan] }));
    world = await notificationsApi({ env: { PLANS_FILE: file } });
  });
  test.after(async () => {
    await world.close();
    tables.remove();
  });

  const ledger = () => world.platform.areas.billing.commands;
  const operator = () => ({ ...world.people.operator(), workspace: null, at: world.clock.now });
  const organization = () => world.api.installed.organizationId;
  const adjust = (amount: number) => ledger().adjust(organization(), { amount, note: null }, operator());
  const told = (kind: string, total: number) => world.told(total, `?kind=${kind}`);
  const threshold = (low_balance_threshold: unknown, who = world.ann) =>
    who.patch('/v1/billing/settings', { low_balance_threshold });

  test('a balance that runs low, once until it is well again', async () => {
    await adjust(-89_999);
    await adjust(-2);
    const { notifications } = await told('billing.low_balance', 1);
    const named = { organization_id: organization(), organization_name: 'Org' };
    assert.equal(
      [notifications[0]!.title, notifications[0]!.data],
      ['Credits are running low', { ...named, balance: '9.999', threshold: '10.000' }],
    );
    await adjust(-1_000);
    await adjust(50_000);
    world.clock.now += 2 * 3_600_000;
    await adjust(-49_000);
    const again = await told('billing.low_balance', 2);
    assert.is(again.notifications[0]!.data['balance'], '9.999');
  });

  test('below the threshold that is set, and not below another', async () => {
    for (const wrong of [5, '5.0001', '-1', 'much', undefined])
      assert.is((await threshold(wrong)).status, 422, String(wrong));
    assert.equal((await threshold('9.5')).body.data, { low_balance_threshold: '9.500' });
    const { data } = (await world.ann.get('/v1/billing/balance')).body;
    assert.is(data['low_balance_threshold'], '9.500');
    world.clock.now += 2 * 3_600_000;
    await adjust(-500);
    const { notifications } = await told('billing.low_balance', 3);
    assert.equal(notifications[0]!.data['threshold'], '9.500');
    assert.equal((await threshold(null)).body.data, { low_balance_threshold: '10.000' });
  });

  test('whoever looks after the organization, of who changed what', async () => {
    const audit = await world.ann.get(`/v1/organization/${organization()}/audit?per_page=3`);
    const { entries } = audit.body.data as { entries: { action: string; actor: string }[] };
    assert.equal(
      entries.map(({ action, actor }) => `${action} ${actor.split(':')[0]}`),
      ['LowBalanceSet token', 'CreditsAdjusted operator', 'LowBalanceSet token'],
    );
    world.clock.now += 60 * 24 * 3_600_000;
    const { organizationId } = world.api.installed;
    await ledger().renew(organizationId, world.platform.areas.billing.plans, {
      ...operator(),
      actor: 'scheduler:renewals',
    });
    await world.platform.visible(await world.platform.stores.events.head());
    const after = await world.ann.get(`/v1/organization/${organization()}/audit?per_page=3`);
    assert.equal(after.body.data['entries'], entries);
    world.clock.now -= 60 * 24 * 3_600_000;
  });

  test('a quota that is nearly used up, once a month', async () => {
    const push = (count: number) =>
      world.ann.post('/v1/signal/push', {
        points: Array.from({ length: count }, (_, i) => ({
          ...{ key: 's', timestamp: world.clock.now - i * 1_000, value: i },
        })),
      });
    await push(7);
    await push(0);
    world.clock.now += 60_000;
    await push(1);
    const { notifications } = await told('billing.quota_near', 1);
    assert.equal(
      [notifications[0]!.title, notifications[0]!.data],
      [
        'Quota streaming_rows is nearly used up',
        { name: 'streaming_rows', period: '2026-05', used: 8, limit: 10 },
      ],
    );
    world.clock.now = Date.UTC(2026, 5, 4);
    await push(9);
    const next = await told('billing.quota_near', 2);
    assert.equal(next.notifications[0]!.data, {
      ...{ name: 'streaming_rows', period: '2026-06', used: 9, limit: 10 },
    });
  });

  test('listeners of the workspace, of the balance as it is', async () => {
    const listener = await connect(world.api.base, { token: world.api.installed.token });
    await listener.subscribe(`workspace:${world.workspace}`);
    const balance = async () => (await world.ann.get('/v1/billing/balance')).body.data['credits'];
    await adjust(1_234);
    const now = await balance();
    const frame = await listener.event(
      ({ event, data }) => event === 'billing.balance_changed' && data['balance'] === now,
    );
    assert.equal(frame.data, { balance: now, reason: 'adjustment' });
    const many = listener.told().filter(({ event }) => event === 'billing.balance_changed').length;
    const work = (n: number) => ({
      price: { item: 'inference.series_step', quantity: 10, rate: '0.0001', ratesVersion: '1', amount: 1 },
      ...{ reference: { type: 'inference', id: `inf_${n}` }, pipelineId: null },
    });
    const context = { ...operator(), workspace: world.workspace };
    for (let n = 0; n < 100; n++) {
      await ledger().hold(organization(), work(n), context);
      await ledger().charge(organization(), work(n).reference, null, context);
    }
    const after = await balance();
    const last = await listener.event(({ data }) => data['balance'] === after);
    assert.is(last.data['reason'], 'charge');
    const since = listener.told().filter(({ event }) => event === 'billing.balance_changed').length - many;
    assert.ok(since < 50, `${since} frames`);
    await listener.end();
  });

  test('its threshold is set by who looks after the organization, with a token for all of it', async () => {
    const { people, workspace, api } = world;
    const { uid, token } = await people.person('admin@example.org');
    await people.join('workspace', workspace, uid, 'admin');
    const admin = world.clientFor({ token, workspaceId: workspace });
    const refused = async (who: typeof admin, code: string) => {
      const { status, body } = await threshold('5', who);
      assert.equal([status, body.error?.code], [403, code]);
    };
    await refused(admin, 'role_forbidden');
    await people.join('organization', organization(), uid, 'viewer');
    await refused(admin, 'role_forbidden');
    const limited = await people.token(api.installed.uid, { workspaceIds: [workspace] });
    const bound = world.clientFor({ token: limited, workspaceId: workspace });
    await refused(bound, 'token_limited');
    const { data } = (await world.ann.get('/v1/billing/balance')).body;
    assert.is(data['low_balance_threshold'], '10.000');
    for (const each of [admin, bound]) each.close();
  });
});
