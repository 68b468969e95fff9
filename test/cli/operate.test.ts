import * as assert from 'uvu/assert';
import { codeAt } from '../api/account-world.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, presage, serve, type Listening } from './presage.js';

suite('what an operator does to accounts', test => {
  const DATA_DIR = dataFolder();
  let running: Listening;
  let workspaceId: string;
  test.before(async () => {
    running = await serve({ DATA_DIR });
    workspaceId = (await accountOf(running)).workspace;
  });
  test.after(async () => {
    await running.stop();
    endAll();
  });

  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await presage([...args, '--json'], { DATA_DIR });
    assert.is(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const status = async (token: string, path: string, workspace = workspaceId) =>
    (
      await fetch(running.base + path, {
        headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspace },
      })
    ).status;

  test('users, groups and tokens are made beside a running platform and work at once', async () => {
    const user = await done(
      'user',
      'create',
      '--email',
      'grace@example.org',
      '--name',
      'Grace',
      '--workspace',
      workspaceId,
      '--role',
      'analyst',
    );
    assert.is(await status(user['token']!, '/v1/event/streams'), 200);
    const { organization_id } = await done(
      'organization',
      'create',
      '--name',
      'Harbour',
      '--owner',
      user['uid']!,
    );
    const { workspace_id } = await done(
      'workspace',
      'create',
      '--name',
      'Cranes',
      '--organization',
      organization_id!,
      '--owner',
      user['uid']!,
      '--terms',
      'cranes,ships',
    );
    assert.is(await status(user['token']!, '/v1/event/streams', workspace_id), 200);

    const call = async (path: string, body?: unknown) =>
      await fetch(running.base + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${user['token']}`, 'content-type': 'application/json' },
        body: JSON.stringify(body ?? {}),
      });
    const {
      data: { secret },
    } = (await (await call('/v1/user/totp/enroll')).json()) as { data: { secret: string } };
    assert.is((await call('/v1/user/totp/confirm', { code: codeAt(secret, Date.now()) })).status, 200);
    assert.is((await call('/v1/user/totp/enroll')).status, 409);
    await done('user', 'disable-totp', user['uid']!);
    assert.is((await call('/v1/user/totp/enroll')).status, 201);

    const reader = await done(
      'token',
      'create',
      '--uid',
      user['uid']!,
      '--scopes',
      'data.read',
      '--days',
      '3',
    );
    assert.is(await status(reader['token']!, '/v1/event/streams'), 200);
    const again = await done('token', 'regenerate', reader['token_id']!);
    assert.equal(
      [
        await status(reader['token']!, '/v1/event/streams'),
        await status(again['token']!, '/v1/event/streams'),
      ],
      [401, 200],
    );
    await done('token', 'revoke', again['token_id']!);
    assert.is(await status(again['token']!, '/v1/event/streams'), 401);

    const taken = await presage(['user', 'create', '--email', 'GRACE@example.org', '--name', 'Another'], {
      DATA_DIR,
    });
    assert.equal(
      [taken.code, taken.stderr],
      [2, `presage: There is a user with this email address: ${user['uid']}\n`],
    );

    const refused = await presage(['user', 'erase', user['uid']!], { DATA_DIR });
    assert.is(refused.code, 2);
    assert.match(
      refused.stderr,
      new RegExp(
        `last owner of organization ${organization_id} \\(Harbour\\), workspace ${workspace_id} \\(Cranes\\)`,
      ),
    );
    await done('organization', 'archive', organization_id!, '--confirm', 'Harbour');
    const heir = await done('user', 'create', '--email', 'heir@example.org', '--name', 'Heir');
    assert.is(
      (await done('workspace', 'add-member', workspace_id!, '--uid', heir['uid']!, '--role', 'owner'))[
        'role'
      ],
      'owner',
    );
    await done('user', 'erase', user['uid']!);
    assert.is(await status(user['token']!, '/v1/event/streams'), 401);
    assert.is(await status(heir['token']!, '/v1/event/streams', workspace_id), 200);
    await done('user', 'create', '--email', 'grace@example.org', '--name', 'Grace again');
    const { stdout } = await presage(['audit', '--ndjson'], { DATA_DIR });
    assert.not.match(
      stdout
        .split('\n')
        .filter(line => line.includes(user['uid']!))
        .join(),
      /grace@example/i,
    );
    assert.not.match(stdout, /psg_live_\w{20}/i);
  });

  for (const [what, args, message] of [
    [
      'an unknown owner',
      ['workspace', 'create', '--name', 'X', '--organization', 'org_1', '--owner', 'usr_nobody'],
      /there is no user usr_nobody/,
    ],
    ['an unknown scope', ['token', 'create', '--uid', 'usr_nobody', '--scopes', 'all'], /there is no user/],
    ['an unknown role', ['user', 'create', '--email', 'a@b.c', '--name', 'A', '--role', 'king'], /king/],
    [
      'a workspace that is not there',
      ['user', 'create', '--email', 'nobody@example.org', '--name', 'A', '--workspace', 'wsp_nothing'],
      /Not found/,
    ],
    ['a group that is not there', ['workspace', 'archive', 'wsp_nothing', '--confirm', 'X'], /Not found/],
    ['a missing address', ['user', 'create', '--name', 'A'], /--email/],
    ['an unknown token', ['token', 'revoke', 'tok_nothing'], /Token not found/],
  ] as const)
    test(`${what} is refused in one line`, async () => {
      const { code, stderr } = await presage(args, { DATA_DIR });
      assert.is(code, 2);
      assert.match(stderr, message);
      assert.not.match(stderr, /\n\s+at /);
    });
});
