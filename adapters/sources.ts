import { join } from 'node:path';
import type { EventStore } from '../commands/ports/event-store.js';
import type { Config } from '../config.js';
import { iso } from '../domain/time.js';
import { embeddedEventStore } from './embedded/event-store.js';
import { lockFolder } from './embedded/lock.js';
import type { Endings } from './endings.js';
import type { openMongo } from './mongodb/open.js';
import { embeddedKeys } from './vault/embedded.js';
import type { WrappedKeys } from './vault/vault.js';

export type Opener = { readonly clock: () => number; readonly owner: string };

/**
 * How the log and the keys of the vault are opened, by configuration: an address means a server, none means
 * the embedded one. Drivers of servers are loaded only when a server is named.
 */
export function sourcesOf(config: Config, { clock, owner }: Opener, keep: Endings['keep']) {
  const { EVENTSTORE_URL, MONGODB_URL, MONGODB_DATABASE, DATA_DIR } = config;
  const shared = EVENTSTORE_URL !== '' && MONGODB_URL !== '';
  const file = (name: string) => join(DATA_DIR, name);
  let connected: Promise<ReturnType<typeof openMongo>> | null = null;
  const mongo = () => (connected ??= onMongo(config, clock).then(keep));
  return {
    shared,
    file,
    /** Read models, state and keys over one pool of connections. */
    mongo,
    /** Takes the data folder, where there is one. @throws FolderInUse */
    lock(): void {
      if (shared) return;
      keep({ close: lockFolder(DATA_DIR, { command: owner, pid: process.pid, since: iso(clock()) }) });
    },
    /** As it is stored. */
    log: async (): Promise<EventStore> =>
      keep(EVENTSTORE_URL ? await onEventStoreDb(EVENTSTORE_URL) : embeddedEventStore(file('facts.db'))),
    keys: async (): Promise<WrappedKeys> =>
      MONGODB_URL ? (await mongo()).keys : keep(embeddedKeys(file('vault.db'))),
    /** Where the vault is, and where the log of it, for messages. */
    places: {
      where: MONGODB_URL
        ? `the collection vault in the database ${MONGODB_DATABASE} of MONGODB_URL`
        : file('vault.db'),
      of: EVENTSTORE_URL ? 'the log at EVENTSTORE_URL' : file('facts.db'),
    },
  };
}

async function onEventStoreDb(url: string): Promise<EventStore> {
  const { eventStoreDb } = await import('./eventstoredb/event-store.js');
  return eventStoreDb({ url });
}

async function onMongo({ MONGODB_URL: url, MONGODB_DATABASE: database }: Config, clock: () => number) {
  const { openMongo } = await import('./mongodb/open.js');
  return openMongo({ url, database, clock });
}
