import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { accountOf, dataFolder, endAll, get, record, serve, type Account, type Env } from '../cli/presage.js';
import { connect, type RealtimeClient, type Told } from '../realtime/client.js';
import { suite } from '../suite.js';

const KILLS = 3;
/** As many connections as a token may have in one process. */
const MOST = 20;

suite('a process killed while many are connected to it', test => {
  test.after(endAll);

  test('all come back and hear from 1 on; nothing of who was connected is left', async () => {
    const env: Env = { DATA_DIR: dataFolder(), RATE_DEFAULT: '1000000', LOG_LEVEL: 'warn' };
    let account: Account | null = null;
    let port = '0';
    const ids: string[] = [];
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill++) {
      const running = await serve({ ...env, PORT: port });
      const { base } = running;
      port = new URL(base).port;
      account ??= await accountOf(running);
      const who = account;
      const events = async (count: number) => {
        for (let i = 0; i < count; i++)
          acknowledged.push(await record(base, who, { key: 'news', text: `Strike ${acknowledged.length}` }));
      };
      const { data: me } = (await (await get(base, who, '/v1/user/me')).json()) as { data: { uid: string } };
      const channels = [`workspace:${who.workspace}`, `user:${me.uid}`];

      // Who died has no place here, and what happened meanwhile is told to nobody
      await events(1);
      const clients = await Promise.all(
        Array.from({ length: MOST }, () => connect(base, { token: who.token })),
      );
      ids.push(...(await Promise.all(clients.map(idOf))));
      const over = await connect(base, { token: who.token });
      assert.is((await over.closed()).code, 4429);
      for (const client of clients)
        assert.equal((await client.subscribe(...channels))['subscribed'], channels);
      const before = acknowledged.length;
      await events(3);
      await revokedToken(base, who);
      for (const client of clients) {
        await client.event(({ event }) => event === 'token.revoked');
        await client.event(
          ({ event, data }) => event === 'event.scored' && data['event_id'] === acknowledged.at(-1),
        );
        for (const channel of channels)
          assert.equal(seqs(client, channel), upTo(seqs(client, channel).length));
        const heard = client.told().filter(({ event }) => event === 'event.recorded');
        assert.equal(heard.map(idIn), acknowledged.slice(before));
      }

      const writing = events(1_000).catch(() => undefined);
      await clients[0]!.event(told => idIn(told) === acknowledged[before + 10]);
      await running.stop('SIGKILL');
      await writing;
      for (const client of clients) {
        assert.is((await client.closed()).code, 1006);
        const mine = seqs(client, channels[0]!);
        assert.equal(mine, upTo(mine.length), 'without a gap up to the end');
      }
      assert.equal(leftOf(env['DATA_DIR']!, ids), []);
    }
    assert.is(new Set(ids).size, KILLS * MOST);
    const again = await serve(env);
    for (const id of acknowledged)
      assert.is((await get(again.base, account!, `/v1/event/${id}`)).status, 200);
    await again.stop();
  });
});

const idOf = async (client: RealtimeClient): Promise<string> =>
  (await client.welcome())['connection_id'] as string;
const idIn = ({ data }: Told): unknown => data['event_id'];
const seqs = (client: RealtimeClient, channel: string): number[] =>
  client
    .told()
    .filter(told => told.channel === channel)
    .map(({ seq }) => seq);
const upTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

/** Makes a token and revokes it, which its user is told of. */
async function revokedToken(base: string, { token, workspace }: Account): Promise<void> {
  const headers = {
    ...{ authorization: `Bearer ${token}`, 'x-workspace-id': workspace },
    'content-type': 'application/json',
  };
  const path = `${base}/v1/user/api-tokens`;
  const made = await fetch(path, { method: 'POST', headers, body: '{"name":"short"}' });
  const { data } = (await made.json()) as { data: { token_id: string } };
  const { status } = await fetch(`${path}/${data.token_id}`, { method: 'DELETE', headers });
  assert.is(status, 200);
}

/** Files of a data folder that name one of the connections. */
const leftOf = (folder: string, ids: readonly string[]): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(file => {
      const bytes = readFileSync(file);
      return ids.some(id => bytes.includes(id));
    });
