import { join } from 'node:path';
import type { EventStore } from '../commands/ports/event-store.js';
import type { KeyValue } from '../commands/ports/key-value.js';
import type { Vault } from '../commands/ports/vault.js';
import type { Config } from '../config.js';
import { iso } from '../domain/time.js';
import type { ReadModels } from '../projections/engine/read-models.js';
import { endings, type Endings } from './endings.js';
import { checkFiles } from './embedded/check.js';
import { embeddedEventStore } from './embedded/event-store.js';
import { embeddedKeyValue } from './embedded/key-value.js';
import { lockFolder } from './embedded/lock.js';
import { embeddedReadModels } from './embedded/read-models.js';
import { sealing } from './sealing.js';
import { embeddedKeys } from './vault/embedded.js';
import { openVault } from './vault/open.js';

/** The stores of a platform, by configuration: an address means a server, none means the embedded one. */
export type Stores = {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly kv: KeyValue;
  readonly vault: Vault;
  /** Other processes may work on the same stores at the same time. */
  readonly shared: boolean;
  /**
   * What was deleted from derived stores is gone from the files of embedded ones, too; servers have their own
   * ways.
   */
  readonly scrub: () => Promise<void>;
  readonly close: () => Promise<void>;
};
export type Opener = { readonly clock: () => number; readonly owner: string };

/**
 * Opens the stores, or says why not: `FolderInUse` when another process has the data folder, `DamagedFile`
 * for a file that cannot be read. Drivers of
 * servers are loaded only when a server is named.
 */
export async function openStores(config: Config, { clock, owner }: Opener): Promise<Stores> {
  const { keep, end } = endings();
  const embedded = !config.EVENTSTORE_URL || !config.MONGODB_URL;
  const file = (name: string) => join(config.DATA_DIR, name);
  try {
    if (embedded)
      keep({ close: lockFolder(config.DATA_DIR, { command: owner, pid: process.pid, since: iso(clock()) }) });
    if (embedded) await checkFiles(filesOf(config).map(file));
    const events = keep(
      config.EVENTSTORE_URL
        ? await onEventStoreDb(config.EVENTSTORE_URL)
        : embeddedEventStore(file('facts.db')),
    );
    const { models, kv, keys, scrub } = config.MONGODB_URL
      ? { ...keep(await onMongo(config, clock)), scrub: async () => {} }
      : derived(file, clock, keep);
    const vault = await openVault(keys, config);
    return { events: sealing(events, vault), models, kv, vault, shared: !embedded, scrub, close: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The files of the stores that are embedded. */
const filesOf = ({ EVENTSTORE_URL, MONGODB_URL }: Config): string[] => [
  ...(EVENTSTORE_URL ? [] : ['facts.db']),
  ...(MONGODB_URL ? [] : ['vault.db', 'models.db', 'state.db']),
];

function derived(file: (name: string) => string, clock: () => number, keep: Endings['keep']) {
  const models = keep(embeddedReadModels(file('models.db')));
  const kv = keep(embeddedKeyValue(file('state.db'), clock));
  const scrub = async () => {
    for (const store of [models, kv]) await store.scrub();
  };
  return { models, kv, keys: keep(embeddedKeys(file('vault.db'))), scrub };
}

async function onEventStoreDb(url: string): Promise<EventStore> {
  const { eventStoreDb } = await import('./eventstoredb/event-store.js');
  return eventStoreDb({ url });
}

async function onMongo({ MONGODB_URL: url, MONGODB_DATABASE: database }: Config, clock: () => number) {
  const { openMongo } = await import('./mongodb/open.js');
  return openMongo({ url, database, clock });
}
