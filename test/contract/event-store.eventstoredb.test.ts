import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventStoreDb } from '../../adapters/eventstoredb/event-store.js';
import { startNode } from '../eventstore-node/node.js';
import { skipped } from '../suite.js';
import { eventStoreContract } from './event-store.js';
import type { Opened } from './opened.js';
import type { EventStore } from '../../commands/ports/event-store.js';

/** A store on a server that outlives it. */
const openOn = async (url: string, end: () => Promise<void>): Promise<Opened<EventStore>> => {
  let store = await eventStoreDb({ url });
  return {
    store,
    async reopen() {
      await store.close();
      store = await eventStoreDb({ url });
      return store;
    },
    async close() {
      await store.close();
      await end();
    },
  };
};

for (const generation of [23, 24] as const) {
  eventStoreContract(`EventStoreDB, test node of generation ${generation}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'eventstore-node-'));
    const node = await startNode({ generation, file: join(folder, 'node.db') });
    return openOn(node.address, async () => {
      node.stop();
      await rm(folder, { recursive: true });
    });
  });
}

const { EVENTSTORE_URL: url } = process.env;
if (url) eventStoreContract('EventStoreDB, the server at EVENTSTORE_URL', () => openOn(url, async () => {}));
else skipped('event store contract: EventStoreDB server', 'EVENTSTORE_URL is not set');
