import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createCompute } from '../adapters/compute/pool.js';
import type { Endings } from '../adapters/endings.js';
import { openStores, type Stores } from '../adapters/open.js';
import { type Handle, handler, type Load, type Look, loader, looker } from '../commands/engine/handle.js';
import { type Together, togetherOn } from '../commands/engine/together.js';
import { tryingOut } from '../commands/engine/trying.js';
import type { Log } from '../commands/ports/log.js';
import type { Config } from '../config.js';
import type { Fact } from '../domain/fact.js';
import type { Compute } from '../domain/maths/compute.js';
import type { Tasks } from '../domain/maths/tasks.js';
import type { Projection } from '../projections/engine/projection.js';
import type { Presence } from '../workers/engine/lease.js';
import { bePresent } from '../workers/engine/presence.js';
import { SET_ASIDE } from '../workers/engine/set-aside-facts.js';
import { type Address, addressOf } from './address.js';
import type { ProcessRole } from './process-roles.js';
import { keepReadModels, type ReadModelsKept } from './read-models.js';
import { checkLog } from './same-log.js';
import { type Watching, watching } from './watching.js';

export type Opening = {
  readonly config: Config;
  readonly log: Log;
  readonly running: readonly ProcessRole[];
  /** Who opens the stores, for the message to a second process. */
  readonly owner: string;
  readonly clock?: () => number;
  /** Everything is about to be built anew from the log: it need not be the one of the read models. */
  readonly anyLog?: boolean;
};

/** What every area stands on: nothing here belongs to one of them. */
export type Kernel = Watching &
  ReadModelsKept & {
    readonly config: Config;
    readonly log: Log;
    readonly clock: () => number;
    readonly newId: () => string;
    readonly stores: Stores;
    /** Of this process, where it does work that others that share the stores may do. */
    readonly presence: Presence | null;
    readonly handle: Handle;
    /** As `handle`, and nothing is written: for dry runs. */
    readonly tryOut: Handle;
    readonly load: Load;
    readonly look: Look;
    /** For journals that many write to at once. */
    readonly together: Together;
    readonly compute: Compute<Tasks>;
    /** Where others reach this platform. */
    readonly address: Address;
    /** What this process does. */
    readonly running: readonly ProcessRole[];
  };

type Beginning = Opening & {
  readonly projections: readonly Projection[];
  /** Names of all reactors. */
  readonly reactors: readonly string[];
  /** After a page of facts was projected in this process. */
  readonly projected: (p: Projection, page: readonly Fact[]) => void;
};

/**
 * Opens stores, pools and projectors; `ends` learns of each as it is begun, so that a failure leaves none
 * open.
 */
export async function openKernel(beginning: Beginning, ends: Endings): Promise<Kernel> {
  const { config, log, running, owner, projections, reactors, projected, clock = Date.now } = beginning;
  const { metrics, watcher } = await watching({ config, clock, log, ends });
  const opened = ends.keep(await openStores(config, { clock, owner }));
  const stores = watcher ? watcher.stores(opened) : opened;
  await stores.models.prepare([SET_ASIDE]);
  const marks = ends.keep(
    await checkLog({
      ...{ stores, projections, reactors, config, anyLog: beginning.anyLog ?? false },
      failed: err => log.warn({ err }, 'what tells this log from others was not noted'),
    }),
  );
  const compute = ends.keep(
    createCompute({
      workers: computeProcesses(config),
      memoryMb: config.COMPUTE_MEMORY_MB,
      withinMs: config.COMPUTE_WITHIN_MS,
    }),
  );
  const leads = running.includes('projections') || running.includes('workers');
  const presence =
    stores.shared && leads ? ends.keep(await bePresent({ kv: stores.kv, holder: owner, clock, log })) : null;
  const kept = await keepReadModels(
    {
      ...{ stores, projections, owner, presence, clock, log },
      here: running.includes('projections'),
      withinMs: config.VISIBLE_WITHIN_MS,
      projected(p, page) {
        watcher?.projected(p, page);
        projected(p, page);
        marks.seen(page);
      },
    },
    ends,
  );
  const newId = randomUUID;
  const look = looker(stores.events);
  return {
    ...{ ...kept, presence, config, log, clock, newId, stores, compute, running, metrics, watcher },
    address: addressOf(config),
    handle: handler(stores.events, newId),
    tryOut: tryingOut(look, newId),
    load: loader(stores.events),
    look,
    together: togetherOn({ store: stores.events, newId, shared: stores.shared }),
  };
}

/** Threads or processes that leave one core to the rest. */
export const allButOne = (): number => Math.max(1, availableParallelism() - 1);
const computeProcesses = ({ COMPUTE_WORKERS }: Config): number => COMPUTE_WORKERS || allButOne();
