import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as assert from 'uvu/assert';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
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
