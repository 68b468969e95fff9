import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import Koa from 'koa';
import { readBody } from '../api/edge/body.js';
import { defaultBodyRules, WaitingBodies } from '../api/edge/waiting-bodies.js';
import { parseJson } from '../api/edge/json.js';

// Koa with a lean body reader that appends each text to a stream of its own in emmett's SQLite event store,
// and nothing more. `node emmett-server.js <folder it is installed in> <file>`

type Emmett = {
  getSQLiteEventStore(options: { fileName: string; schema: { autoMigration: 'CreateOrUpdate' } }): {
    appendToStream(stream: string, events: readonly { type: string; data: unknown }[]): Promise<unknown>;
  };
};

const bodies = new WaitingBodies(defaultBodyRules);
const [folder = '', file = ''] = process.argv.slice(2);
const entry = join(folder, 'node_modules/@event-driven-io/emmett-sqlite/dist/index.js');
const { getSQLiteEventStore } = (await import(pathToFileURL(entry).href)) as Emmett;
const store = getSQLiteEventStore({ fileName: file, schema: { autoMigration: 'CreateOrUpdate' } });

async function append(data: unknown): Promise<string> {
  const id = randomUUID();
  await store.appendToStream(`event-${id}`, [{ type: 'EventRecorded', data }]);
  return id;
}

// Its first append makes the tables, and may fail while it does
for (let made = false; !made; )
  made = await append({}).then(
    () => true,
    () => false,
  );

const app = new Koa().use(async ctx => {
  ctx.body = {
    data: { event_id: await append(parseJson(await readBody(ctx.req, 2_000_000, bodies, '', ''))) },
  };
});
const server = createServer(app.callback()).listen(0, '127.0.0.1', () =>
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
