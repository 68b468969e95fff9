import * as assert from 'uvu/assert';
import { directory } from '../../projections/identity/directory.js';
import { identityProjection } from '../../projections/identity/projection.js';
import { collectionName } from '../../projections/engine/projection.js';
import type { Reader } from '../../projections/engine/reader.js';
import { DAY, MINUTE, SECOND } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';

import { path, refused, tokenCalls, type Made } from './token-calls.js';

suite('the life of api tokens', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld();
  });
  test.after(() => world.close());

  const { make, list, find, works } = tokenCalls(() => world);

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
    const other = directory(platformReader(), {
      clock: () => now,
      ttlMs: 1_000,
      size: 10,
      letters: 1_000_000,
    });
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
    for (const tried of [
      await world.client.post(`${path}/${next.token_id}/regenerate`),
      await world.client.patch(`${path}/${next.token_id}`, { name: 'm' }),
    ]) {
      refused(tried, 409, 'token_revoked');
      assert.match(tried.body.error.message, `is replaced by ${last.token_id}`);
    }
    world.later(61 * SECOND);
    await world.client.delete(`${path}/${next.token_id}`);
    assert.is((await find(next.token_id))!.status, 'expired', 'which changes nothing');
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
