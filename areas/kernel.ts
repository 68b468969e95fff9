import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { createCompute } from '../adapters/compute/pool.js';
import type { Endings } from '../adapters/endings.js';
import { openStores, type Stores } from '../adapters/open.js';
import { createScorer } from '../adapters/scorer/scorer.js';
import type { Watcher } from '../adapters/watcher.js';
import { handler, loader, type Handle, type Load } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import type { Config } from '../config.js';
import type { Scorer } from '../domain/events/scoring.js';
import type { Fact } from '../domain/fact.js';
import type { Compute } from '../domain/maths/compute.js';
import type { Tasks } from '../domain/maths/tasks.js';
import { collectionsOf, type Projection } from '../projections/engine/projection.js';
import { reader, type Reader } from '../projections/engine/reader.js';
import { activeGenerations, type ActiveGenerations } from '../workers/engine/generations.js';
import { projectorsOf, type Projectors } from '../workers/engine/projectors.js';
import { SET_ASIDE } from '../workers/engine/set-aside-facts.js';
import type { ProcessRole } from './process-roles.js';
import { watching, type Watching } from './watching.js';

export type Opening = {
  readonly config: Config;
  readonly log: Log;
  readonly running: readonly ProcessRole[];
  /** Who opens the stores, for the message to a second process. */
  readonly owner: string;
  readonly clock?: () => number;
};

/** What every area stands on: nothing here belongs to one of them. */
export type Kernel = Watching & {
  readonly config: Config;
  readonly log: Log;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly stores: Stores;
  readonly generations: ActiveGenerations;
  readonly projectors: Projectors;
  readonly handle: Handle;
  readonly load: Load;
  readonly compute: Compute<Tasks>;
  /** Null where this process does not work. */
  readonly scorer: Scorer | null;
  /** Documents of a projection, from the collections that serve today. */
  readonly read: (p: Projection) => Reader;
  readonly caughtUp: Projectors['caughtUp'];
  /**
   * Waits, a bounded time, until these read models hold the fact at a position; null: nothing was written.
   */
  readonly visibleIn: (...those: readonly Projection[]) => (position: number | null) => Promise<void>;
};

type Beginning = Opening & {
  readonly projections: readonly Projection[];
  /** After a page of facts was projected in this process. */
  readonly projected: (p: Projection, page: readonly Fact[]) => void;
};

const REFRESH_MS = 1_000;

/**
 * Opens stores, pools and projectors; `ends` learns of each as it is begun, so that a failure leaves none
 * open.
 */
export async function openKernel(beginning: Beginning, ends: Endings): Promise<Kernel> {
  const { config, log, running, owner, projections, projected, clock = Date.now } = beginning;
  const { metrics, watcher } = await watching({ config, clock, log, ends });
  const opened = ends.keep(await openStores(config, { clock, owner }));
  const stores = watcher ? watcher.stores(opened) : opened;
  const generations = await activeGenerations(stores.kv, projections);
  await stores.models.prepare([SET_ASIDE]);
  for (const p of projections) await stores.models.prepare(collectionsOf(p, generations.generationOf(p)));
  const compute = ends.keep(
    createCompute({
      workers: computeProcesses(config),
      memoryMb: config.COMPUTE_MEMORY_MB,
      withinMs: config.COMPUTE_WITHIN_MS,
    }),
  );
  const scorer = running.includes('workers') ? await scoringWith(beginning, watcher, ends) : null;
  const projectors = projectorsOf({
    store: stores.events,
    models: stores.models,
    projections,
    generationOf: generations.generationOf,
    here: running.includes('projections'),
    kv: stores.shared ? stores.kv : null,
    holder: owner,
    clock,
    log,
    withinMs: config.VISIBLE_WITHIN_MS,
    advanced: (p, page) => {
      watcher?.projected(p, page);
      projected(p, page);
    },
  });
  ends.keep({ close: projectors.stop });
  ends.keep(refreshing(generations, log));
  const newId = randomUUID;
  const { caughtUp } = projectors;
  const visibleIn: Kernel['visibleIn'] =
    (...those) =>
    async position => {
      if (position !== null) await Promise.all(those.map(p => caughtUp(p, position)));
    };
  return {
    ...{ config, log, clock, newId, stores, generations, projectors, compute, scorer },
    ...{ caughtUp, visibleIn, metrics, watcher },
    handle: handler(stores.events, newId),
    load: loader(stores.events),
    read: p => reader(stores.models, p, generations.generationOf),
  };
}

async function scoringWith(
  { config, log }: Pick<Opening, 'config' | 'log'>,
  watcher: Watcher | null,
  ends: Endings,
): Promise<Scorer> {
  const hung = (err: Error) => log.error({ err }, 'a scorer thread hung and was replaced');
  const scorer = ends.keep(await createScorer({ threads: scorerThreads(config), hung }));
  return watcher ? watcher.scorer(scorer) : scorer;
}

/** Learns now and then which generations other processes let serve. */
function refreshing(generations: ActiveGenerations, log: Log): { close: () => void } {
  const refresh = () =>
    generations.refresh().catch((err: unknown) => log.warn({ err }, 'serving generations not refreshed'));
  const timer = setInterval(refresh, REFRESH_MS);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

const allButOne = (): number => Math.max(1, availableParallelism() - 1);
export const scorerThreads = ({ SCORER_THREADS }: Config): number => SCORER_THREADS || allButOne();
const computeProcesses = ({ COMPUTE_WORKERS }: Config): number => COMPUTE_WORKERS || allButOne();
