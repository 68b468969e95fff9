import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { idIn } from '../../domain/cell.js';
import { peopleOf } from '../people.js';
import { send, startPlatform, temporaryFolder, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';

type Client = (
  baseUrl: string,
  token: string,
  workspaceId: string,
) => (path: string, init?: RequestInit) => Promise<Response>;

/** The client that `docs/regions.md` tells people to copy. */
async function documentedClient(): Promise<Client> {
  const page = readFileSync(new URL('../../../docs/regions.md', import.meta.url), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'presage-client-'));
  const file = join(folder, 'client.mjs');
  writeFileSync(file, /```js\n([\s\S]*?)```/.exec(page)![1]!);
  const { client } = (await import(pathToFileURL(file).href)) as { client: Client };
  rmSync(folder, { recursive: true });
  return client;
}

suite('two cells', test => {
  const [here, there] = [temporaryFolder(), temporaryFolder()];
  let eu: Running;
  let us: Running;
  test.before(async () => {
    const running = ['api', 'projections'] as const;
    eu = await startPlatform(here.path, { running, env: { CELL: 'eu-1' } });
    us = await startPlatform(there.path, { running, env: { CELL: 'us-1', CELLS: `eu-1=${eu.base}` } });
  });
  test.after(async () => {
    await eu.stop();
    await us.stop();
    here.remove();
    there.remove();
  });

  test('a token that is at home elsewhere is told where', async () => {
    const answer = await send(us.base, 'GET', '/v1/event/streams', eu.installed);
    assert.is(answer.status, 409);
    assert.is(answer.json.error.code, 'wrong_cell');
    const { request_id, ...details } = answer.json.error.details;
    assert.ok(request_id);
    assert.equal(details, { home_cell: 'eu-1', redirect_api_base_url: eu.base });
  });

  test('a workspace that is at home elsewhere, too', async () => {
    const answer = await send(us.base, 'GET', '/v1/event/streams', {
      token: us.installed.token,
      workspaceId: eu.installed.workspaceId,
    });
    assert.is(answer.json.error.code, 'wrong_cell');
  });

  const redirected = (answer: Answer) => {
    const { code, details } = answer.json.error;
    assert.equal([answer.status, code], [409, 'wrong_cell'], answer.text);
    assert.equal([details.home_cell, details.redirect_api_base_url], ['eu-1', eu.base]);
  };
  test('a workspace of the path that is at home elsewhere, whatever is asked of it', async () => {
    const { workspaceId } = eu.installed;
    const path = `/v1/workspace/${workspaceId}`;
    for (const below of ['', '/members', '/audit', '/invitations'])
      redirected(await send(us.base, 'GET', path + below, us.installed));
    redirected(await send(us.base, 'PATCH', path, us.installed, { body: { name: 'Elsewhere' } }));
    redirected(await send(us.base, 'POST', `${path}/restore`, us.installed));
    // What carries no code, or that of no other cell that is known, is not found
    for (const other of [idIn('us-1', 'wsp_', '2i784ss2gib1q0x9'), idIn('ap-1', 'wsp_', '2i784ss2gib1q0x9')])
      assert.is((await send(us.base, 'GET', `/v1/workspace/${other}`, us.installed)).status, 404, other);
    assert.is((await send(us.base, 'GET', `/v1/organization/${workspaceId}`, us.installed)).status, 404);
    assert.is(
      (await send(eu.base, 'GET', `/v1/workspace/${us.installed.workspaceId}`, eu.installed)).status,
      404,
    );
  });

  const sourceIn = async ({ call }: Running): Promise<string> => {
    const body = { mode: 'push' };
    return (await call('POST', '/v1/ingestion/connect/create-event', { body })).json.data.source_id;
  };
  const deliver = (source: string, kind: string) =>
    send(us.base, 'POST', `/v1/ingestion/webhooks/${source}${kind}`, us.installed, { body: {} });

  test('a delivery to a source that is at home elsewhere, too, signed or not', async () => {
    const theirs = await sourceIn(eu);
    for (const kind of ['', '/events', '/signal']) redirected(await deliver(theirs, kind));
    assert.is((await deliver(await sourceIn(us), '/events')).json.error.code, 'invalid_signature');
    for (const unknown of ['src_2i784ss2gib1q0x9', idIn('us-1', 'src_', '2i784ss2gib1q0x9')])
      assert.is((await deliver(unknown, '/events')).json.error.code, 'source_not_found', unknown);
    assert.is((await deliver(idIn('ap-1', 'src_', '2i784ss2gib1q0x9'), '/events')).status, 404);
  });

  test('a second factor is checked where its user is at home', async () => {
    const people = peopleOf(us.platform);
    const token = await people.token(us.installed.uid, { internal: true, scopes: [] });
    const verify = (uid: string) =>
      send(
        us.base,
        'POST',
        '/v1/user/ops/verify-2fa',
        { ...us.installed, token },
        {
          body: { uid, code: '123456' },
        },
      );
    redirected(await verify(eu.installed.uid));
    assert.is((await verify(us.installed.uid)).json.error.code, 'totp_not_enabled');
    assert.is((await verify('usr_2x2qnp6iow2wrxal')).status, 404);
  });

  test('a cell that is not known is as good as none', async () => {
    assert.is(
      (await send(eu.base, 'GET', '/v1/event/streams', us.installed)).json.error.code,
      'token_invalid',
    );
    const foreign = await send(eu.base, 'GET', '/v1/event/streams', {
      token: eu.installed.token,
      workspaceId: us.installed.workspaceId,
    });
    assert.is(foreign.json.error.code, 'workspace_forbidden');
  });

  test('the documented client goes there once, with its body, and remembers', async () => {
    const call = (await documentedClient())(us.base, eu.installed.token, eu.installed.workspaceId);
    const fetched: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input, init) => {
      fetched.push(new URL(String(input)).origin);
      return real(input, init);
    };
    try {
      const recorded = await call('/v1/event/record', {
        method: 'POST',
        body: JSON.stringify({ key: 'k', text: 'from afar' }),
      });
      assert.is(recorded.status, 200);
      assert.is((await call('/v1/event/streams')).status, 200);
      assert.equal(fetched, [us.base, eu.base, eu.base]);
    } finally {
      globalThis.fetch = real;
    }
  });
});
