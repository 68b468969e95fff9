import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { signatureOf } from '../api/ingestion-world.js';
import { connectionTo } from '../crash/clients.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { accountOf, dataFolder, endAll, serve } from './presage.js';

/** What is given to sources; each is looked for as it is, and in the forms it travels in. */
const given = {
  bearer: 'bearer-Kq4tTzR1',
  password: 'password-Wm8sVb2',
  header: 'header-Lp0xCd93',
  value: 'value-Hn5jYe77',
  postgres: 'postgres-Gf6uAi41',
  s3: 's3-secret-Bk2rOw58',
};
/** Sources that are asked in vain. */
const KINDS = 5;
const UNREAD = 'unread-Zs9dQp64';

/** A real process that says all it can, asked and delivered to in every way that has to do with secrets. */
suite('secrets of sources', test => {
  let polled: Server;
  let asked = 0;
  test.before(async () => {
    // As unfriendly as can be: what it was asked with comes back in the failure
    polled = createServer(({ headers }, response) => {
      asked++;
      response.writeHead(401, { 'content-type': 'text/plain' }).end(JSON.stringify(headers));
    }).listen(0, '127.0.0.1');
    await once(polled, 'listening');
  });
  test.after(() => {
    polled.close();
    endAll();
  });

  test('stand in no file of the data folder and in no line of the log, while it runs and after', async () => {
    const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'trace', OUTGOING_ALLOW: '127.0.0.1' };
    let running = await serve(env);
    const account = await accountOf(running);
    const logged: string[] = [];
    let api = connectionTo(running.base, account);
    const secrets: string[] = Object.values(given);
    const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
      const { status, text, json } = await api.call(method, path, body);
      assert.ok(status < 300, `${method} ${path}: ${status} ${text}`);
      return json.data;
    };
    const send = async (id: string, body: string, secret: string): Promise<number> => {
      const headers = { 'x-signature': `sha256=${signatureOf(secret, body)}` };
      const path = `/v1/ingestion/webhooks/${id}/events`;
      return (await fetch(running.base + path, { method: 'POST', headers, body })).status;
    };

    const made = await call('POST', '/v1/ingestion/connect/create-event', { mode: 'push' });
    const { source_id: id, webhook_secret: first } = made as { source_id: string; webhook_secret: string };
    assert.is(await send(id, '{"text":"Signed"}', first), 200);
    const { webhook_secret: second } = await call('POST', `/v1/ingestion/sources/${id}/rotate-secret`, {});
    assert.is(await send(id, '{"text":"Signed again"}', second as string), 200);
    assert.is(await send(id, '{"text":"Wrong"}', 'another'), 401);
    assert.is(await send(id, `{"broken": "${UNREAD}`, second as string), 400);
    secrets.push(first, second as string, UNREAD);
    const polls = await sourcesOf(call, `http://127.0.0.1:${(polled.address() as AddressInfo).port}/items`);
    await until(async () => asked >= polls.length, 'the polls');
    await until(async () => {
      const { executions } = await call('GET', '/v1/ingestion/executions');
      return executions.length === KINDS && executions.every((each: Json) => each.status === 'retrying');
    }, 'what failed');
    none(secrets, { ...filesIn(env.DATA_DIR), log: Buffer.from(Object.values(running.said).join('')) });

    // What lay in files of the moment is there after a kill
    logged.push(...Object.values(await running.stop('SIGKILL')).map(String));
    none(secrets, filesIn(env.DATA_DIR));
    api.close();
    running = await serve(env);
    api = connectionTo(running.base, account);
    assert.is(await send(id, '{"text":"Signed once more"}', first), 200);
    const shown = await listsOf(call, id);
    api.close();
    logged.push(...Object.values(await running.stop()).map(String));
    none(secrets, { ...filesIn(env.DATA_DIR), log: Buffer.from(logged.join('')), shown });
    assert.match(logged.join(''), /listens on/);
    const holds = Object.values(filesIn(env.DATA_DIR)).some(content => content.includes(id));
    assert.ok(holds, 'what is no secret can be found');
  });
});

type Call = (method: string, path: string, body?: unknown) => Promise<Json>;

/** Sources of all kinds that sign in somewhere; those of addresses are asked at once. */
async function sourcesOf(call: Call, url: string): Promise<readonly Json[]> {
  const auths = [
    { type: 'bearer', token: given.bearer },
    { type: 'basic', username: 'user', password: given.password },
    { type: 'header', name: 'x-key', value: given.value },
  ];
  const rest = auths.map(auth => ({ url, auth, headers: { 'x-more': given.header }, interval_seconds: 60 }));
  const event_config = rest[0]!;
  const polls: Json[] = [
    await call('POST', '/v1/ingestion/connect/create-event', { mode: 'poll', event_config }),
  ];
  for (const config of rest.slice(1))
    polls.push(await call('POST', '/v1/ingestion/sources', { connector_id: 'rest_poll', config }));
  const at = { host: '127.0.0.1', port: 1, database: 'shop', user: 'reader', query: 'SELECT 1' };
  const postgres = { ...at, password: given.postgres };
  await call('POST', '/v1/ingestion/sources', { connector_id: 'postgres', config: postgres });
  const s3 = { bucket: 'numbers', endpoint: 'http://127.0.0.1:1', access_key_id: 'reader' };
  const config = { ...s3, secret_access_key: given.s3 };
  await call('POST', '/v1/ingestion/sources', { connector_id: 's3', config });
  return polls;
}

/** All that is told of sources, as text. */
async function listsOf(call: Call, id: string): Promise<Buffer> {
  const paths = ['sources', `sources/${id}/deliveries`, 'jobs', 'executions'];
  const told: unknown[] = [];
  for (const path of paths) told.push(await call('GET', `/v1/ingestion/${path}?per_page=100`));
  return Buffer.from(JSON.stringify(told));
}

function filesIn(folder: string): Record<string, Buffer> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(file => file.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]),
  );
}

function none(secrets: readonly string[], places: Record<string, Buffer>): void {
  const found = Object.entries(places).flatMap(([place, content]) =>
    secrets.filter(secret => formsOf(secret).some(form => content.includes(form))).map(s => [place, s]),
  );
  assert.equal(found, []);
}

/** As it is, in base64 and in base64 for HTTP's basic; the bytes of what is hex. */
const formsOf = (secret: string): (string | Buffer)[] => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(`user:${secret}`).toString('base64'),
  ...(/^[0-9a-f]{64}$/.test(secret) ? [Buffer.from(secret, 'hex')] : []),
];
