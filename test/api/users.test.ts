import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import type { Answered } from './client.js';

const refused = ({ status, body }: Answered, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);

suite('the own account', test => {
  let world: AccountWorld;
  test.before(async () => {
    world = await accountWorld();
  });
  test.after(() => world.close());
  const me = async () => (await world.client.get('/v1/user/me')).body.data;

  test('shows user, memberships and the token of the call', async () => {
    const {
      installed: { uid, workspaceId, organizationId, tokenId },
    } = world.api;
    const { created_at, token, ...data } = await me();
    assert.equal(data, {
      uid,
      email: 'a@example.org',
      name: 'A',
      avatar_url: null,
      locale: 'en',
      timezone: 'UTC',
      home_cell: 'local',
      totp_enabled: false,
      ui_flags: {},
      memberships: [
        {
          workspace_id: workspaceId,
          workspace_name: 'First',
          organization_id: organizationId,
          role: 'owner',
        },
      ],
    });
    assert.ok(Date.parse(created_at as string) <= world.now());
    const { scopes, ...rest } = token as { scopes: string[] };
    assert.equal([rest, scopes.length], [{ token_id: tokenId, name: 'first token' }, 20]);
  });

  test('a token without scopes may see and change its owner; a limited one sees its workspaces', async () => {
    const bare = world.as(await world.tokenWith([], ['wsp_other']));
    assert.equal((await bare.get('/v1/user/me')).body.data['memberships'], []);
    assert.is((await bare.post('/v1/user/ui-flags', { flag: 'x', value: null })).status, 200);
    refused(await bare.post('/v1/user/ops/authorize', { redirect_uri: 'x' }), 403, 'insufficient_scope');
    refused(await bare.post('/v1/user/totp/enroll'), 403, 'insufficient_scope');
    refused(await world.client.as({}).get('/v1/user/me'), 401, 'authorization_required');
  });

  test('flags are set and taken away', async () => {
    const set = async (flag: unknown, value: unknown) =>
      world.client.post('/v1/user/ui-flags', { flag, value });
    for (const [flag, value] of [
      ['dark', true],
      ['width', 3.5],
      ['tab', 'ü'],
      ['__proto__', 'own'],
      ['a.$b', false],
    ] as const)
      await set(flag, value);
    const all = { dark: true, width: 3.5, tab: 'ü', ['__proto__']: 'own', 'a.$b': false };
    assert.is(JSON.stringify((await me())['ui_flags']), JSON.stringify(all));
    assert.is(
      JSON.stringify((await set('tab', null)).body.data['ui_flags']),
      JSON.stringify({ dark: true, width: 3.5, ['__proto__']: 'own', 'a.$b': false }),
    );
    for (const [flag, value] of [
      ['', 1],
      ['x'.repeat(65), 1],
      ['a\u0000', 1],
      [7, 1],
      ['a', [1]],
      ['a', {}],
      ['a', undefined],
      ['a', 'x'.repeat(1_001)],
    ])
      refused(await set(flag, value), 422, 'validation_error');
  });

  test('the profile is changed where it is given', async () => {
    const update = (body: object) => world.client.post('/v1/user/update-profile', body);
    const {
      status,
      body: { data },
    } = await update({
      name: 'Ada 🙂',
      timezone: 'Asia/Kolkata',
      locale: 'de-CH',
      avatar_url: 'https://example.org/a.png',
    });
    assert.equal(
      [status, data['name'], data['timezone'], data['locale'], data['avatar_url']],
      [200, 'Ada 🙂', 'Asia/Kolkata', 'de-CH', 'https://example.org/a.png'],
    );
    await update({ avatar_url: null });
    await update({});
    assert.equal([(await me())['avatar_url'], (await me())['name']], [null, 'Ada 🙂']);
    for (const body of [
      { timezone: 'Mars/Base' },
      { timezone: '' },
      { timezone: '+01:00' },
      { name: '' },
      { name: ' ' },
      { name: 'x'.repeat(121) },
      { name: null },
      { locale: 'x' },
      { avatar_url: 'javascript:alert(1)' },
    ])
      refused(await update(body), 422, 'validation_error');
    assert.equal((await update({ timezone: 'Mars/Base' })).body.detail[0]!.loc, ['body', 'timezone']);
  });
});
