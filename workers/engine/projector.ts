import type { EventStore } from '../../commands/ports/event-store.js';
import { START, type Fact } from '../../domain/fact.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, type Projection } from '../../projections/engine/projection.js';
import type { Generations } from '../../projections/engine/reader.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { follow, type Running } from './follow.js';
import type { Log } from '../../commands/ports/log.js';

export type Projector = Running & {
  readonly projection: Projection;
  /** Position of the last fact its documents hold. */
  readonly position: () => number;
  /** Resolves true when the documents hold the fact at `position`, false when that takes longer than `ms`. */
  readonly caughtUp: (position: number, ms: number) => Promise<boolean>;
  /** Runs `work` between two pages: meanwhile no document of the projection changes. */
  readonly holding: <T>(work: () => Promise<T>) => Promise<T>;
};

/** `until`: by a clock that nobody sets, as `performance.now` tells. */
type Waiter = {
  readonly position: number;
  readonly until: number;
  readonly done: (caughtUp: boolean) => void;
};
export type Projecting = {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly projection: Projection;
  readonly generationOf: Generations;
  /** The writer's fencing number where several processes may project. */
  readonly fence?: (() => number) | undefined;
  readonly log: Log;
  /** After each page is written. */
  readonly advanced?: (page: readonly Fact[]) => void;
};

const PAGE_SIZE = 512;
const GIVE_UP_EVERY_MS = 100;

/**
 * Keeps the documents of one projection up with the log. One for each projection at a time, in the whole
 * platform.
 */
export function projector({
  store,
  models,
  projection,
  generationOf,
  fence,
  log,
  advanced,
}: Projecting): Projector {
  let position = START;
  let stopped = false;
  let waiters: Waiter[] = [];
  const settle = () => {
    const now = performance.now();
    const waiting: Waiter[] = [];
    for (const waiter of waiters) {
      if (waiter.position <= position) waiter.done(true);
      else if (waiter.until <= now) waiter.done(false);
      else waiting.push(waiter);
    }
    waiters = waiting;
  };
  const giveUp = setInterval(() => {
    if (waiters.length > 0) settle();
  }, GIVE_UP_EVERY_MS);
  giveUp.unref();

  let turn: Promise<unknown> = Promise.resolve();
  const holding = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => undefined);
    return mine;
  };
  let generation = generationOf(projection);
  /** Goes on where the generation that serves stands. */
  const goOn = async (): Promise<number> => {
    generation = generationOf(projection);
    position = await models.checkpoint(checkpointName(projection, generation), fence?.());
    return position;
  };

  const apply = async (page: readonly Fact[]): Promise<number> => {
    if (generation !== generationOf(projection)) return goOn();
    await applyPage(projection, models, generation, page, fence?.());
    position = page.at(-1)!.position;
    if (waiters.length > 0) settle();
    advanced?.(page);
    return position;
  };
  const following = follow({
    name: `projection ${projection.name}`,
    store,
    room: () => PAGE_SIZE,
    log,
    from: goOn,
    work: page => holding(() => apply(page)),
  });
  return {
    projection,
    holding,
    position: () => position,
    caughtUp: (wanted, ms) =>
      wanted <= position || stopped
        ? Promise.resolve(wanted <= position)
        : new Promise(done => waiters.push({ position: wanted, until: performance.now() + ms, done })),
    async stop() {
      await following.stop();
      stopped = true;
      clearInterval(giveUp);
      for (const { done } of waiters.splice(0)) done(false);
    },
  };
}
