import type { EventStore } from '../commands/ports/event-store.js';
import type { Contents } from '../commands/ports/contents.js';
import type { KeyValue } from '../commands/ports/key-value.js';
import type { FileStore } from '../commands/ports/file-store.js';
import type { ModelFiles } from '../commands/model-files.js';
import type { Vault } from '../commands/ports/vault.js';
import type { Config } from '../config.js';
import type { ReadModels } from '../projections/engine/read-models.js';
import { folderContents } from './contents.js';
import { checkFiles } from './embedded/check.js';
import { embeddedKeyValue } from './embedded/key-value.js';
import { embeddedReadModels } from './embedded/read-models.js';
import { endings, type Endings } from './endings.js';
import { fileStore } from './file-store.js';
import { modelFiles } from './models/model-files.js';
import { sealing } from './sealing.js';
import { sourcesOf, type Opener } from './sources.js';
import { openVault } from './vault/open.js';

/** The stores of a platform, by configuration: an address means a server, none means the embedded one. */
export type Stores = {
  readonly events: EventStore;
  readonly models: ReadModels;
  readonly kv: KeyValue;
  readonly vault: Vault;
  /** Of imported models. */
  readonly modelFiles: ModelFiles;
  /** All others. */
  readonly files: FileStore;
  /** The tables of segments, a shelf for each segment. */
  readonly tables: Contents;
  /** What trainings found out, a shelf for each training. */
  readonly trainings: Contents;
  /** Other processes may work on the same stores at the same time. */
  readonly shared: boolean;
  /**
   * What was deleted from derived stores is gone from the files of embedded ones, too; servers have their own
   * ways.
   */
  readonly scrub: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/**
 * Opens the stores, or says why not: `FolderInUse` when another process has the data folder, `DamagedFile`
 * for a file that cannot be read, `VaultShut` for a vault that does not open what lies in the log.
 */
export async function openStores(config: Config, opener: Opener): Promise<Stores> {
  const { keep, end } = endings();
  const sources = sourcesOf(config, opener, keep);
  const { shared, file, places } = sources;
  try {
    sources.lock();
    await checkFiles(filesOf(config).map(file));
    const log = await sources.log();
    const { models, kv, scrub } = config.MONGODB_URL
      ? { ...(await sources.mongo()), scrub: async () => {} }
      : derived(file, opener.clock, keep);
    const vault = await openVault({ keys: await sources.keys(), log, ...places }, config);
    const behind = config.MONGODB_URL ? await sources.mongo() : null;
    return {
      ...{ events: sealing(log, vault, places), models, kv, vault, shared, scrub, close: end },
      modelFiles: modelFiles(file('models'), behind?.modelFiles ?? null),
      files: fileStore(file('files'), behind?.files ?? null),
      tables: behind?.tables ?? folderContents(file('tables')),
      trainings: behind?.trainings ?? folderContents(file('trainings')),
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The files of the stores that are embedded. */
export const filesOf = ({ EVENTSTORE_URL, MONGODB_URL }: Config): string[] => [
  ...(EVENTSTORE_URL ? [] : ['facts.db']),
  ...(MONGODB_URL ? [] : ['vault.db', 'models.db', 'state.db']),
];

function derived(file: (name: string) => string, clock: () => number, keep: Endings['keep']) {
  const models = keep(embeddedReadModels(file('models.db')));
  const kv = keep(embeddedKeyValue(file('state.db'), clock));
  const scrub = async () => {
    for (const store of [models, kv]) await store.scrub();
  };
  return { models, kv, scrub };
}
