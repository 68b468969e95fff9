import * as assert from 'uvu/assert';
import { DAY, MINUTE } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';

import { path, refused, tokenCalls, type Made } from './token-calls.js';

suite('api tokens', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld();
  });
  test.after(() => world.close());

  const { make, list, find, works } = tokenCalls(() => world);

  test('the value is shown once, and is nowhere afterwards', async () => {
    const { token, ...record } = await make({
      name: 'reader',
      scopes: ['data.read', 'data.read', 'goals.read'],
      expires_in_days: 2,
    });
    assert.match(token, /^psg_live_[0-9A-Za-z]{53}$/);
    assert.equal([record['prefix'], record['last4']], [token.slice(0, 12), token.slice(-4)]);
    assert.equal(
      [record.scopes, record.status, record['workspace_ids'], record['replaced_by']],
      [['data.read', 'goals.read'], 'active', null, null],
    );
    assert.is(Date.parse(record.expires_at!) - Date.parse(record['created_at'] as string), 2 * DAY);
    assert.equal(await find(record.token_id), record);
    assert.not.ok(JSON.stringify(await world.api.platform.stores.events.page(-1, 1_000)).includes(token));
    assert.ok(await works(token));
  });

  test('the scopes of one that asks for none', async () =>
    assert.equal((await make()).scopes, [
      'goals.read',
      'inferences.create',
      'models.read',
      'workspaces.read',
    ]));

  test('a repeat under the same key makes no other, and does not show the value again', async () => {
    const key = { 'idempotency-key': 'once' };
    const { total } = await list();
    const first = (await world.client.post<{ data: Made }>(path, { name: 'k' }, key)).body.data;
    const again = await world.client.post<{ data: Made }>(path, { name: 'k' }, key);
    const { token, ...shown } = first;
    assert.ok(token);
    assert.equal([again.headers['idempotency-replayed'], again.body.data], ['true', shown]);
    assert.is((await list()).total, total + 1);
  });

  test('what cannot be is refused', async () => {
    for (const body of [
      {},
      { name: '' },
      { name: 'n', scopes: ['all'] },
      { name: 'n', scopes: 'data.read' },
      { name: 'n', expires_in_days: 0 },
      { name: 'n', expires_in_days: 3_651 },
      { name: 'n', expires_in_days: 1.5 },
      { name: 'n', workspace_ids: [] },
    ])
      refused(await world.client.post(path, body), 422, 'validation_error');
    refused(
      await world.client.post(path, { name: 'n', workspace_ids: ['wsp_none'] }),
      403,
      'workspace_forbidden',
    );
    const { workspaceId } = await world.people.tenant('t@example.org');
    refused(
      await world.client.post(path, { name: 'n', workspace_ids: [workspaceId] }),
      403,
      'workspace_forbidden',
    );
  });

  test('none gives what it lacks: made, changed or regenerated', async () => {
    const here = world.api.installed.workspaceId;
    const weak = world.as(await world.tokenWith(['data.read'], [here]));
    const strong = await make({ name: 'strong', scopes: ['data.read', 'data.write'] });
    for (const body of [
      { name: 'n' },
      { name: 'n', scopes: ['data.write'] },
      { name: 'n', scopes: ['data.read'], workspace_ids: null },
    ])
      refused(await weak.post(path, body), 403, 'scope_escalation');
    refused(
      await weak.patch(`${path}/${strong.token_id}`, { scopes: ['data.read', 'goals.read'] }),
      403,
      'scope_escalation',
    );
    refused(
      await weak.patch(`${path}/${strong.token_id}`, { scopes: ['data.read'] }),
      403,
      'scope_escalation',
    );
    refused(await weak.post(`${path}/${strong.token_id}/regenerate`), 403, 'scope_escalation');
    assert.is((await weak.patch(`${path}/${strong.token_id}`, { name: 'renamed' })).status, 200);
    const made = await make({ name: 'n', scopes: ['data.read'] }, weak);
    assert.equal(made['workspace_ids'], [here]);
    refused(await weak.patch(`${path}/${made.token_id}`, { workspace_ids: null }), 403, 'scope_escalation');
    assert.ok(await works(strong.token));
  });

  test('none outlives the one it was made with', async () => {
    const { uid } = world.api.installed;
    const until = world.now() + 10 * DAY;
    const soon = world.as(await world.people.token(uid, { expiresAt: until }));
    const lasting = await make({ name: 'lasting' });
    const made = await make({ name: 'n' }, soon);
    assert.is(Date.parse(made.expires_at!), until, 'unless asked for: as long as its maker');
    const short = await make({ name: 'n', expires_in_days: 3 }, soon);
    assert.is(Date.parse(short.expires_at!) - Date.parse(short['created_at'] as string), 3 * DAY);
    for (const expires_in_days of [11, null])
      refused(await soon.post(path, { name: 'n', expires_in_days }), 403, 'scope_escalation');
    refused(await soon.post(`${path}/${lasting.token_id}/regenerate`), 403, 'scope_escalation');
    refused(
      await soon.patch(`${path}/${lasting.token_id}`, { scopes: ['data.read'] }),
      403,
      'scope_escalation',
    );
    assert.is((await soon.patch(`${path}/${lasting.token_id}`, { name: 'renamed' })).status, 200);
    assert.is((await soon.post(`${path}/${short.token_id}/regenerate`)).status, 200);
    assert.equal((await make()).expires_at, null, 'one that never ends makes others that never do');
  });

  test('nor does one that is on its way out make any that stays', async () => {
    const old = await make({ name: 'leaving', scopes: ['data.read'] });
    await world.client.post(`${path}/${old.token_id}/regenerate`, { grace_seconds: 60 });
    const made = await make({ name: 'n', scopes: ['data.read'] }, world.as(old.token));
    assert.ok(Date.parse(made.expires_at!) <= world.now() + MINUTE);
    refused(
      await world.as(old.token).post(path, { name: 'n', scopes: ['data.read'], expires_in_days: 1 }),
      403,
      'scope_escalation',
    );
  });

  test('what befalls those limited to a workspace is in its audit, for admins and owners', async () => {
    const owner = await world.people.tenant('audited@example.org');
    const { workspaceId, uid } = owner;
    const by = world.as(owner.token);
    const viewer = await world.people.person('viewer@example.org');
    await world.people.join('workspace', workspaceId, viewer.uid, 'viewer');
    type Entries = {
      data: {
        total: number;
        entries: { action: string; actor: string; resource: string; data: Record<string, unknown> }[];
      };
    };
    const audit = async (query = '', asked = by) =>
      (await asked.get<Entries>(`/v1/workspace/${workspaceId}/audit?per_page=100${query}`)).body.data;
    const before = (await audit()).total;
    const { token_id } = await make(
      { name: 'secret name', scopes: ['data.read'], workspace_ids: [workspaceId] },
      by,
    );
    await make({ name: 'for all of them' }, by);
    await by.patch(`${path}/${token_id}`, { scopes: ['data.read', 'data.write'] });
    await by.patch(`${path}/${token_id}`, { name: 'renamed' });
    await by.delete(`${path}/${token_id}`);
    const { entries, total } = await audit();
    assert.is(total, before + 3);
    assert.equal(
      entries.slice(0, 3).map(({ action, data }) => [action, data]),
      [
        ['ApiTokenWithdrawn', { tokenId: token_id, uid, workspaceId, until: null }],
        ['ApiTokenAdmitted', { tokenId: token_id, uid, workspaceId, scopes: ['data.read', 'data.write'] }],
        ['ApiTokenAdmitted', { tokenId: token_id, uid, workspaceId, scopes: ['data.read'] }],
      ],
    );
    assert.equal(
      [entries[0]!.actor, entries[0]!.resource],
      [`token:${owner.tokenId}`, `api_token-${token_id}`],
    );
    assert.not.match(JSON.stringify(entries), /secret name|hash/);
    assert.is((await audit('&action=ApiTokenAdmitted')).total, 2);
    const seen = await audit('', world.as(viewer.token));
    assert.equal(
      [seen.total, seen.entries.filter(({ action }) => action.startsWith('ApiToken'))],
      [before, []],
    );
    assert.is((await audit('&action=ApiTokenAdmitted', world.as(viewer.token))).total, 0);
    assert.is((await audit('&action=MemberAdded', world.as(viewer.token))).total, 2);
  });

  test('those of services are out of reach', async () => {
    const { uid } = world.api.installed;
    await world.people.token(uid, { internal: true, scopes: ['data.read'] });
    const { tokens } = await list();
    const service = tokens[0]!;
    refused(await world.client.post(`${path}/${service.token_id}/regenerate`), 403, 'scope_escalation');
    refused(await world.client.patch(`${path}/${service.token_id}`, { scopes: [] }), 403, 'scope_escalation');
  });

  test("another user's token is not found", async () => {
    const other = world.as((await world.people.person('o@example.org')).token);
    const { token_id, token } = await make();
    refused(await other.patch(`${path}/${token_id}`, { name: 'x' }), 404, 'not_found');
    refused(await other.delete(`${path}/${token_id}`), 404, 'not_found');
    refused(await other.post(`${path}/${token_id}/regenerate`), 404, 'not_found');
    refused(await other.delete(`${path}/tok_none`), 404, 'not_found');
    assert.is((await other.get<{ data: { total: number } }>(path)).body.data.total, 1);
    assert.ok(await works(token));
  });
});
