import type { Endings } from '../adapters/endings.js';
import type { Stores } from '../adapters/open.js';
import type { Log } from '../commands/ports/log.js';
import type { Fact } from '../domain/fact.js';
import { collectionsOf, type Projection } from '../projections/engine/projection.js';
import { type Reader, reader } from '../projections/engine/reader.js';
import { building } from '../workers/engine/building.js';
import { earlierVersions, READING_MS } from '../workers/engine/earlier.js';
import { type ActiveGenerations, activeGenerations } from '../workers/engine/generations.js';
import type { Presence } from '../workers/engine/lease.js';
import { type Projectors, projectorsOf } from '../workers/engine/projectors.js';
import { lineageOf, versionsOf } from '../workers/engine/versions.js';

/** The documents that everything is read from: which of them serve, and how far they are. */
export type ReadModelsKept = {
  readonly generations: ActiveGenerations;
  readonly projectors: Projectors;
  /** The version of a projection that is read from today: an earlier one while its own is being built. */
  readonly serving: (p: Projection) => Projection;
  /** Which projections are built for the first time, with nothing to read meanwhile; null: none is. */
  readonly unserved: () => string | null;
  /** Documents of a projection, from the collections that serve today. */
  readonly read: (p: Projection) => Reader;
  readonly caughtUp: Projectors['caughtUp'];
  /**
   * Waits, a bounded time, until these read models hold the fact at a position; null: nothing was written.
   */
  readonly visibleIn: (...those: readonly Projection[]) => (position: number | null) => Promise<void>;
};

type Keeping = {
  readonly stores: Pick<Stores, 'events' | 'models' | 'kv' | 'shared'>;
  readonly projections: readonly Projection[];
  /** Whether this process projects. */
  readonly here: boolean;
  readonly owner: string;
  /** Of this process, where others share the stores. */
  readonly presence: Presence | null;
  readonly clock: () => number;
  readonly log: Log;
  /** How long a write may wait until it shows; ms. */
  readonly withinMs: number;
  /** After a page of facts was projected in this process. */
  readonly projected: (p: Projection, page: readonly Fact[]) => void;
};

const REFRESH_MS = 1_000;

/** Keeps the read models up with the log, and lets a new version of one serve when it is complete. */
export async function keepReadModels(keeping: Keeping, ends: Endings): Promise<ReadModelsKept> {
  const { stores, projections, here, owner, presence, clock, log, withinMs, projected } = keeping;
  const { events, models } = stores;
  const kv = stores.shared ? stores.kv : null;
  const lineage = lineageOf(projections);
  const generations = await activeGenerations(
    stores.kv,
    [...lineage].flatMap(([p, carried]) => [p, ...carried]),
  );
  const { generationOf } = generations;
  const versions = await versionsOf(lineage, models, generations, await events.head());
  const { kept, serving } = versions;
  for (const p of kept) await models.prepare(collectionsOf(p, generationOf(p)));
  const projectors = projectorsOf({
    ...{
      store: events,
      models,
      projections: kept,
      generationOf,
      here,
      kv,
      holder: owner,
      presence,
      clock,
      log,
      withinMs,
    },
    advanced: (p, page) => projected(projections.find(({ name }) => name === p.name)!, page),
  });
  ends.keep({ close: projectors.stop });
  const earlier = earlierVersions({ models, generations, kv, clock, log });
  const tidy = async (): Promise<void> => {
    for (const p of projections) await earlier.reading(serving(p));
    const complete = projections.filter(p => !versions.incomplete().includes(p));
    for (const p of complete) if (projectors.of(p)) await earlier.drop(p);
  };
  const tidied = repeating(READING_MS / 3, tidy, err =>
    log.warn({ err }, 'earlier versions not looked after'),
  );
  ends.keep(tidied);
  ends.keep(
    repeating(REFRESH_MS, generations.refresh, err => log.warn({ err }, 'serving generations not refreshed')),
  );
  const built = building({
    ...{ versions, generations, projectors, log },
    head: () => events.head(),
    served: tidied.now,
  });
  ends.keep({ close: built.stop });
  await tidied.now();
  const caughtUp: Projectors['caughtUp'] = (p, ...rest) => projectors.caughtUp(serving(p), ...rest);
  return {
    ...{ generations, projectors, serving, caughtUp },
    unserved: built.unserved,
    read: p => reader(models, p, generationOf, () => serving(p)),
    visibleIn:
      (...those) =>
      async position => {
        if (position !== null) await Promise.all(those.map(p => caughtUp(p, position)));
      },
  };
}

/** Does something now and then, once at a time; a failure is told and it is tried again. */
function repeating(everyMs: number, work: () => Promise<void>, failed: (err: unknown) => void) {
  let under: Promise<void> = Promise.resolve();
  const now = (): Promise<void> => {
    under = under.then(work).catch(failed);
    return under;
  };
  const timer = setInterval(now, everyMs);
  timer.unref();
  return {
    now,
    async close() {
      clearInterval(timer);
      await under;
    },
  };
}
