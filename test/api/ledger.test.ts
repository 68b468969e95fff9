import * as assert from 'uvu/assert';
import type { Reference } from '../../domain/billing/credits.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';

const inference = (id: string): Reference => ({ type: 'inference', id });
const work = (id: string, amount: number) => ({
  price: { item: 'inference.series_step', quantity: amount * 10, rate: '0.0001', ratesVersion: '1', amount },
  reference: inference(id),
  pipelineId: null,
});

suite('the ledger over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let client: Client;
  let organization: string;

  test.before(async () => {
    api = await startPlatform(folder.path);
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace, organizationId } = api.installed;
    organization = organizationId;
    client = clientOf(api.base, description, { token, workspace });
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });
  const ledger = () => api.platform.areas.billing.commands;
  const context = (workspace: string | null) => ({ ...peopleOf(api.platform).operator(), workspace });
  const here = () => context(api.installed.workspaceId);
  const balance = async () => {
    const { credits, held, available } = (await client.get('/v1/billing/balance')).body.data;
    return { credits, held, available };
  };
  const entries = async (query = '') => {
    const { status, body } = await client.get(`/v1/billing/ledger${query}`);
    assert.is(status, 200);
    return body.data;
  };
  type Entry = { kind: string; amount: string; balance_after: string };
  const lines = async (query = '') =>
    ((await entries(query))['entries'] as Entry[]).map(e => [e.kind, e.amount, e.balance_after].join(' '));

  test('an organization begins with the credits of its plan', async () => {
    const { data } = (await client.get('/v1/billing/balance')).body;
    const { as_of, plan, ...rest } = data as Record<string, unknown> & { plan: Record<string, unknown> };
    assert.equal(rest, {
      ...{ credits: '100.000', held: '0.000', available: '100.000', currency: 'credits' },
      low_balance_threshold: '10.000',
    });
    assert.equal([plan['id'], plan['name']], ['free', 'Free']);
    const [now, renews] = [new Date(as_of as string), new Date(plan['renews_at'] as string)];
    assert.is(renews.getTime(), Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
    await api.platform.areas.billing.commands.open(organization, context(null));
    assert.equal(await lines(), ['grant 100.000 100.000']);
  });

  test('what is held is available no more, what is released is, what is charged is gone', async () => {
    await ledger().hold(organization, work('a', 40_000), here());
    assert.equal(await balance(), { credits: '100.000', held: '40.000', available: '60.000' });
    await ledger().hold(organization, work('b', 60_000), here());
    try {
      await ledger().hold(organization, work('c', 1), here());
      assert.unreachable();
    } catch (error) {
      assert.equal(
        { ...(error as object) },
        {
          ...{ kind: 'unpaid', code: 'insufficient_credits' },
          details: { needed: '0.001', balance: '0.000' },
        },
      );
    }
    await ledger().charge(organization, inference('a'), null, here());
    await ledger().charge(organization, inference('b'), work('b', 20_000).price, here());
    await ledger().release(organization, inference('b'), 'failed', here());
    assert.equal(await balance(), { credits: '40.000', held: '0.000', available: '40.000' });
    assert.equal(await lines(), [
      'charge -20.000 40.000',
      'release 60.000 60.000',
      'charge -40.000 0.000',
      'release 40.000 40.000',
      'hold -60.000 0.000',
      'hold -40.000 60.000',
      'grant 100.000 100.000',
    ]);
  });

  test('is read by page, kind, time and what is paid for', async () => {
    assert.equal(await lines('?kind=charge'), ['charge -20.000 40.000', 'charge -40.000 0.000']);
    assert.is((await lines('?reference=a')).length, 3);
    const { entries: page, ...paging } = await entries('?per_page=2&page=3');
    assert.equal(paging, { total: 7, page: 3, per_page: 2, total_pages: 4 });
    assert.equal(
      (page as { reference: { id: string } }[]).map(({ reference }) => reference.id),
      ['b', 'a'],
    );
    assert.equal(await lines('?to=2020-01-01'), []);
    assert.is((await entries('?from=2020-01-01&kind=hold'))['total'], 2);
    assert.is((await client.get('/v1/billing/ledger?kind=gift')).status, 422);
    assert.is((await client.get('/v1/billing/ledger?from=soon')).status, 422);
    const [first] = (await entries('?kind=release&reference=b'))['entries'] as Record<string, unknown>[];
    const { ledger_id, at, ...rest } = first!;
    assert.ok(/^led_/.test(ledger_id as string) && !Number.isNaN(Date.parse(at as string)));
    assert.equal(rest, {
      ...{ kind: 'release', amount: '60.000', balance_after: '60.000', item: 'inference.series_step' },
      ...{ quantity: 600_000, rate: '0.0001', rates_version: '1', reference: inference('b') },
      ...{ pipeline_id: null, workspace_id: api.installed.workspaceId, note: 'charged' },
    });
  });

  test('another workspace sees what is the organization’s, and the balance of all', async () => {
    const made = await client.post('/v1/workspace', { name: 'Second', organization_id: organization });
    assert.is(made.status, 201);
    const second = client.as({
      token: api.installed.token,
      workspace: made.body.data['workspace_id'] as string,
    });
    await ledger().grant(
      organization,
      { amount: 5_000, reason: 'operator', note: 'thanks', period: null },
      context(null),
    );
    const seen = (await second.get('/v1/billing/ledger')).body.data;
    assert.equal(
      (seen['entries'] as Entry[]).map(e => `${e.kind} ${e.amount} ${e.balance_after}`),
      ['grant 5.000 45.000', 'grant 100.000 100.000'],
    );
    assert.is(seen['total'], 2);
    assert.is((await second.get('/v1/billing/balance')).body.data['available'], '45.000');
  });

  test('is for admins and owners', async () => {
    const people = peopleOf(api.platform);
    for (const [role, status] of [
      ['operator', 403],
      ['admin', 200],
    ] as const) {
      const { uid, token } = await people.person(`${role}@example.org`);
      await people.join('workspace', api.installed.workspaceId, uid, role);
      const theirs = client.as({ token, workspace: api.installed.workspaceId });
      assert.is((await theirs.get('/v1/billing/balance')).status, status, role);
      assert.is((await theirs.get('/v1/billing/ledger')).status, status, role);
    }
  });
});
