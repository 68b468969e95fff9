import type { EventStore } from '../../commands/ports/event-store.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import type { Fact } from '../../domain/fact.js';
import { checkpointName, type Projection } from '../../projections/engine/projection.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import type { Generations } from '../../projections/engine/reader.js';
import { leader } from './leader.js';
import type { Presence } from './lease.js';
import { type Projector, projector } from './projector.js';

export type Projectors = {
  /** The projector of this process, where it has that part and leads. */
  readonly of: (p: Projection) => Projector | null;
  /** Where the documents of a projection stand. */
  readonly positionOf: (p: Projection) => Promise<number>;
  /**
   * Resolves true when the documents of a projection hold the fact at a position, false when that takes
   * longer than `ms`, or than a write may wait.
   */
  readonly caughtUp: (p: Projection, position: number, ms?: number) => Promise<boolean>;
  /**
   * How far the read models of some projections are behind the log, in ms of the oldest fact they lack; 0
   * when they hold all.
   */
  readonly lag: (those: readonly Projection[]) => Promise<number>;
  /** Stops to keep one up with the log: nothing reads it any more. */
  readonly retire: (p: Projection) => Promise<void>;
  readonly stop: () => Promise<void>;
};

type Options = {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly projections: readonly Projection[];
  readonly generationOf: Generations;
  /** Whether this process projects at all; else it asks the store how far others are. */
  readonly here: boolean;
  /** Where leases are kept when several processes share the stores; null: this is the only one. */
  readonly kv: KeyValue | null;
  readonly holder: string;
  readonly presence: Presence | null;
  readonly clock: () => number;
  readonly log: Log;
  readonly withinMs: number;
  /** After each page of a projection is written here. */
  readonly advanced: (p: Projection, page: readonly Fact[]) => void;
};

const POLL_MS = 10;

/**
 * Keeps the documents of all projections up with the log, as far as that is this process's part, and knows
 * how far they are.
 */
export function projectorsOf({
  store,
  models,
  projections,
  generationOf,
  here,
  kv,
  holder,
  presence,
  clock,
  log,
  withinMs,
  advanced,
}: Options): Projectors {
  const leaders = here
    ? projections.map(projection =>
        leader({
          name: `projection ${checkpointName(projection, 0)}`,
          kv,
          holder,
          presence,
          clock,
          log,
          start: fence =>
            projector({
              store,
              models,
              projection,
              generationOf,
              log,
              advanced: page => advanced(projection, page),
              fence,
            }),
        }),
      )
    : [];
  const of = (p: Projection) => leaders[projections.indexOf(p)]?.active() ?? null;
  const positionOf = async (p: Projection) =>
    of(p)?.position() ?? models.checkpoint(checkpointName(p, generationOf(p)));
  return {
    of,
    positionOf,
    caughtUp: async (p, position, ms = withinMs) =>
      of(p)?.caughtUp(position, ms) ?? polled(() => positionOf(p), position, ms),
    async lag(those) {
      const [next] = await store.page(Math.min(...(await Promise.all(those.map(positionOf)))), 1);
      return next ? Math.max(0, clock() - next.at) : 0;
    },
    async retire(p) {
      await leaders[projections.indexOf(p)]?.stop();
    },
    async stop() {
      await Promise.all(leaders.map(each => each.stop()));
    },
  };
}

/**
 * Asks until a position is reached, at most for `ms` whatever the platform's clock does: for processes that
 * do not project themselves.
 */
async function polled(positionOf: () => Promise<number>, wanted: number, ms: number): Promise<boolean> {
  for (const until = performance.now() + ms; ; ) {
    if ((await positionOf()) >= wanted) return true;
    if (performance.now() >= until) return false;
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}
