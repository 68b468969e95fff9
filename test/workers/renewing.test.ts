import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

suite('months of a running platform', test => {
  const folder = temporaryFolder();
  let now = Date.parse('2026-03-15T12:00:00Z');
  let api: Running;
  let installed: Running['installed'] | undefined;
  const start = async () => {
    api = await startPlatform(folder.path, { clock: () => now, ...(installed && { installed }) });
    installed = api.installed;
  };
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  /** The account, once the plan's credits were granted for a month. */
  const grantedFor = async (month: string) => {
    const { queries, commands } = api.platform.areas.billing;
    const { organizationId } = api.installed;
    return until(async () => {
      await commands.settled(organizationId);
      await api.platform.visible(await api.platform.stores.events.head());
      const account = (await queries.account(organizationId))?.account;
      return account && account.period >= month ? account : null;
    }, `the grant for ${month}`);
  };

  test('each is granted for once, while it runs and after it was down', async () => {
    await start();
    assert.is((await grantedFor('2026-03')).credits, 100_000);
    now = Date.parse('2026-04-01T00:00:00Z');
    assert.is((await grantedFor('2026-04')).credits, 200_000);
    await api.stop();
    now = Date.parse('2026-07-02T00:00:00Z');
    await start();
    assert.is((await grantedFor('2026-07')).credits, 500_000);
    await api.stop();
    await start();
    assert.is((await grantedFor('2026-07')).credits, 500_000);
    const { data } = (await api.call('GET', '/v1/billing/balance')).json;
    assert.is(data.plan.renews_at, '2026-08-01T00:00:00.000Z');
    const ledger = (await api.call('GET', '/v1/billing/ledger?kind=grant')).json.data;
    assert.equal(
      (ledger.entries as { note: string }[]).map(({ note }) => note),
      ['07', '06', '05', '04', '03'].map(month => `plan free, 2026-${month}`),
    );
  });
});
