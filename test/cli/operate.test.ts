import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, presage, serve, type Serving } from './presage.js';

suite('what an operator does to accounts', test => {
  const DATA_DIR = dataFolder();
  let running: Serving, workspaceId: string;
  test.before(async () => {
    running = await serve({ DATA_DIR });
    workspaceId = (await accountOf(running)).workspace;
  });
  test.after(async () => { await running.stop(); endAll(); });

  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await presage([...args, '--json'], { DATA_DIR });
    assert.is(code, 0, stderr);
    return JSON.parse(stdout) as Record<string, string>;
  };
  const status = async (token: string, path: string, workspace = workspaceId) =>
    (await fetch(running.base + path, { headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspace } })).status;

  test('users, organizations, workspaces and tokens are made beside a running platform and work at once', async () => {
    const user = await done('user', 'create', '--email', 'grace@example.org', '--name', 'Grace', '--workspace', workspaceId, '--role', 'analyst');
    assert.is(await status(user['token']!, '/v1/event/streams'), 200);
    const { organization_id } = await done('organization', 'create', '--name', 'Harbour', '--owner', user['uid']!);
    const { workspace_id } = await done('workspace', 'create', '--name', 'Cranes', '--organization', organization_id!, '--owner', user['uid']!, '--terms', 'cranes,ships');
    assert.is(await status(user['token']!, '/v1/event/streams', workspace_id), 200);

    const reader = await done('token', 'create', '--uid', user['uid']!, '--scopes', 'data.read', '--days', '3');
    assert.is(await status(reader['token']!, '/v1/event/streams'), 200);
    const again = await done('token', 'regenerate', reader['token_id']!);
    assert.equal([await status(reader['token']!, '/v1/event/streams'), await status(again['token']!, '/v1/event/streams')], [401, 200]);
    await done('token', 'revoke', again['token_id']!);
    assert.is(await status(again['token']!, '/v1/event/streams'), 401);

    await done('user', 'erase', user['uid']!);
    assert.is(await status(user['token']!, '/v1/event/streams'), 401);
    const { stdout } = await presage(['audit', '--ndjson'], { DATA_DIR });
    assert.not.match(stdout, /grace@example|psg_live_\w{20}/i);
  });

  for (const [what, args, message] of [
    ['an unknown owner', ['workspace', 'create', '--name', 'X', '--organization', 'org_1', '--owner', 'usr_nobody'], /there is no user usr_nobody/],
    ['an unknown scope', ['token', 'create', '--uid', 'usr_nobody', '--scopes', 'all'], /there is no user/],
    ['an unknown role', ['user', 'create', '--email', 'a@b.c', '--name', 'A', '--role', 'king'], /king/],
    ['a missing address', ['user', 'create', '--name', 'A'], /--email/],
    ['an unknown token', ['token', 'revoke', 'tok_nothing'], /Token not found/],
  ] as const) test(`${what} is refused in one line`, async () => {
    const { code, stderr } = await presage(args, { DATA_DIR });
    assert.is(code, 2);
    assert.match(stderr, message);
    assert.not.match(stderr, /\n\s+at /);
  });
});
