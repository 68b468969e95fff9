import * as assert from 'uvu/assert';
import { directory } from '../../projections/identity/directory.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { collectionName } from '../../projections/engine/projection.js';
import type { Reader } from '../../projections/engine/reader.js';
import { DAY, MINUTE, SECOND } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import type { Answered, Client } from './client.js';

type Made = {
  token_id: string;
  token?: string;
  scopes: string[];
  status: string;
  expires_at: string | null;
  [member: string]: unknown;
};
const refused = ({ status, body }: Answered, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);
const path = '/v1/user/api-tokens';

suite('api tokens', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld();
  });
  test.after(() => world.close());

  const make = async (
    body: object = { name: 'n' },
    by: Client = world.client,
  ): Promise<Made & { token: string }> => {
    const {
      status,
      body: { data },
    } = await by.post<{ data: Made & { token: string } }>(path, body);
    assert.is(status, 200);
    return data;
  };
  const list = async (query = '') =>
    (await world.client.get<{ data: { tokens: Made[]; total: number } }>(`${path}?per_page=100${query}`)).body
      .data;
  const find = async (id: string) => (await list()).tokens.find(({ token_id }) => token_id === id);
  const works = async (token: string) => (await world.as(token).get('/v1/user/me')).status === 200;

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

  test('changed scopes count from the next call on, with the same value', async () => {
    const { token_id, token } = await make({ name: 'n', scopes: ['data.read'] });
    const here = world.as(token, world.api.installed.workspaceId);
    assert.is((await here.get('/v1/event/upcoming')).status, 200);
    const changed = await world.client.patch<{ data: Made }>(`${path}/${token_id}`, {
      name: 'm',
      scopes: [],
    });
    assert.equal(
      [changed.body.data['name'], changed.body.data.scopes, changed.body.data.token],
      ['m', [], undefined],
    );
    refused(await here.get('/v1/event/upcoming'), 403, 'insufficient_scope');
  });

  test('a revoked one stops at once; others go on', async () => {
    const [one, two] = [await make(), await make()];
    assert.ok(await works(one.token));
    assert.equal((await world.client.delete(`${path}/${one.token_id}`)).body, { status: 'deleted' });
    refused(await world.as(one.token).get('/v1/user/me'), 401, 'token_revoked');
    assert.ok(await works(two.token));
    assert.is((await world.client.delete(`${path}/${one.token_id}`)).status, 200);
    refused(await world.client.patch(`${path}/${one.token_id}`, { name: 'x' }), 409, 'token_revoked');
    refused(await world.client.post(`${path}/${one.token_id}/regenerate`), 409, 'token_revoked');
    assert.is((await find(one.token_id))!.status, 'revoked');
  });

  test("in other processes it stops within their memory's time", async () => {
    const { token_id } = await make();
    const { platform } = world.api;
    const hash = (await stored(token_id))._id;
    let now = 0;
    const other = directory(platformReader(), { clock: () => now, ttlMs: 1_000, size: 10 });
    assert.is((await other.token(hash))?.revokedAt, null);
    await platform.visible(
      (await platform.areas.identity.tokens.revoke(null, token_id, world.people.operator())).position,
    );
    now = 999;
    assert.is((await other.token(hash))?.revokedAt, null);
    now = 1_000;
    assert.ok((await other.token(hash))?.revokedAt);
  });
  const collection = (name: string) => collectionName(identityProjection, name, 0);
  const models = () => world.api.platform.stores.models;
  const stored = async (token_id: string) =>
    (await models().find<{ _id: string }>(collection('api_tokens'), { where: { token_id } }))[0]!;
  const platformReader = (): Reader =>
    ({
      get: async (name: string, id: string) => (await models().load(collection(name), [id])).get(id) ?? null,
    }) as unknown as Reader;

  test('one in place of another: at once, or after a while', async () => {
    const old = await make({ name: 'n', scopes: ['data.read'], expires_in_days: 9 });
    const next = (
      await world.client.post<{ data: Made & { token: string } }>(`${path}/${old.token_id}/regenerate`)
    ).body.data;
    assert.equal([next['name'], next.scopes, next.expires_at], ['n', ['data.read'], old.expires_at]);
    assert.not.equal([next.token_id, next.token], [old.token_id, old.token]);
    refused(await world.as(old.token).get('/v1/user/me'), 401, 'token_revoked');
    assert.equal(
      [(await find(old.token_id))!['replaced_by'], (await find(old.token_id))!.status],
      [next.token_id, 'revoked'],
    );

    const last = (
      await world.client.post<{ data: Made & { token: string } }>(`${path}/${next.token_id}/regenerate`, {
        grace_seconds: 60,
      })
    ).body.data;
    assert.ok((await works(next.token)) && (await works(last.token)));
    refused(await world.client.post(`${path}/${next.token_id}/regenerate`), 409, 'token_revoked');
    world.later(61 * SECOND);
    refused(await world.as(next.token).get('/v1/user/me'), 401, 'token_expired');
    assert.ok(await works(last.token));
    for (const grace_seconds of [-1, 86_401, 1.5])
      refused(
        await world.client.post(`${path}/${last.token_id}/regenerate`, { grace_seconds }),
        422,
        'validation_error',
      );
  });

  test('one that still works for a while can be revoked at once', async () => {
    const old = await make();
    await world.client.post(`${path}/${old.token_id}/regenerate`, { grace_seconds: 86_400 });
    assert.ok(await works(old.token));
    await world.client.delete(`${path}/${old.token_id}`);
    refused(await world.as(old.token).get('/v1/user/me'), 401, 'token_revoked');
  });

  test('regenerated by many at once: one has a token, and it is the only one', async () => {
    const old = await make({ name: 'race' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        world.client.post<{ data: Made & { token: string } }>(`${path}/${old.token_id}/regenerate`),
      ),
    );
    assert.equal(answers.map(({ status }) => status).sort(), [200, ...Array<number>(7).fill(409)]);
    const { token_id, token } = answers.find(({ status }) => status === 200)!.body.data;
    assert.ok(await works(token));
    assert.equal(
      (await list('&status=active')).tokens.filter(({ name }) => name === 'race').map(made => made.token_id),
      [token_id],
    );
  });

  test('it can regenerate itself', async () => {
    const { token_id, token } = await make();
    const answer = await world
      .as(token)
      .post<{ data: Made & { token: string } }>(`${path}/${token_id}/regenerate`);
    assert.ok(await works(answer.body.data.token));
    assert.not.ok(await works(token));
  });

  test('the last use is listed, to the minute', async () => {
    const { token_id, token } = await make({ name: 'used' });
    assert.is((await find(token_id))!['last_used_at'], null);
    await works(token);
    const first = (await find(token_id))!;
    assert.equal(
      [Math.abs(Date.parse(first['last_used_at'] as string) - world.now()) < MINUTE, first['last_used_ip']],
      [true, '127.0.0.1'],
    );
    await works(token);
    assert.is((await find(token_id))!['last_used_at'], first['last_used_at']);
    world.later(MINUTE);
    await works(token);
    assert.ok(((await find(token_id))!['last_used_at'] as string) > (first['last_used_at'] as string));
    await world.api.platform.areas.identity.lastUses.flush();
    assert.ok(await world.api.platform.stores.kv.get(`token-use/${token_id}`));
  });

  test('the list: newest first, by status, by page, ended ones for 90 days', async () => {
    const other = await world.people.person('l@example.org');
    const by = world.as(other.token);
    const of = async (query: string) =>
      (await by.get<{ data: { tokens: Made[]; total: number } }>(`${path}${query}`)).body.data;
    const [a, b, c] = [
      await make({ name: 'a', expires_in_days: 1 }, by),
      await make({ name: 'b' }, by),
      await make({ name: 'c' }, by),
    ];
    await by.delete(`${path}/${b.token_id}`);
    world.later(DAY);
    const names = async (query: string) => (await of(query)).tokens.map(({ name, status }) => [name, status]);
    assert.equal(await names(''), [
      ['c', 'active'],
      ['b', 'revoked'],
      ['a', 'expired'],
      ['test', 'active'],
    ]);
    for (const [status, expected] of [
      ['active', ['c', 'test']],
      ['expired', ['a']],
      ['revoked', ['b']],
    ] as const)
      assert.equal(
        (await names(`?status=${status}`)).map(([name]) => name),
        expected,
      );
    assert.equal(
      [await names('?page=2&per_page=3'), (await of('?page=2&per_page=3')).total],
      [[['test', 'active']], 4],
    );
    refused(await by.get(`${path}?status=odd`), 422, 'validation_error');
    world.later(89 * DAY - MINUTE);
    assert.is((await of('')).total, 4);
    world.later(DAY + MINUTE);
    assert.equal(await names(''), [
      ['c', 'active'],
      ['test', 'active'],
    ]);
    assert.ok(a.token && c.token);
  });
});
