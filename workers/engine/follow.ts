import { setImmediate as turn } from 'node:timers/promises';
import { defer, EMPTY, lastValueFrom, retry, Subject, takeUntil, timer } from 'rxjs';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { Fact } from '../../domain/fact.js';
import type { Log } from '../../commands/ports/log.js';

export type Following = {
  readonly name: string;
  readonly store: EventStore;
  /** Where to go on: asked at the start and again after every failure. */
  readonly from: () => Promise<number>;
  /**
   * Does all that a page of facts asks for; the next page comes only when it is done, behind the position it
   * answers. [] when only what was left over from earlier facts is due.
   */
  readonly work: (page: readonly Fact[]) => Promise<number>;
  /** How many facts may be in the next page; 0: none just now. */
  readonly room: () => number;
  /** Ms until something is to be done without any new fact; infinite when not given. */
  readonly dueIn?: () => number;
  readonly log: Log;
};

/** Something that runs until it is told to stop; `stop` resolves when what it was doing is done. */
export type Running = { readonly stop: () => Promise<void> };

const HEARTBEAT_MS = 1_000;
const BACK_OFF_MS = [50, 200, 1_000, 5_000];
const never = () => Number.POSITIVE_INFINITY;

/**
 * Follows the log from a position, for ever: pull a page, finish it, pull the next. RxJS has no
 * back-pressure, so facts are never pushed into it; the store's bell only ends the wait at the end of the
 * log. A failure is logged and tried again from the checkpoint, with growing pauses.
 */
export function follow({ name, store, from: start, work, room, dueIn = never, log }: Following): Running {
  const bell = listening(store);
  const stopped = new Subject<void>();
  let failures = 0;
  let stopping = false;

  const step = async (at: number): Promise<number> => {
    const heard = bell.rings();
    const limit = room();
    const page = limit > 0 ? await store.page(at, limit) : [];
    if (page.length > 0 || dueIn() === 0) {
      const done = await work(page);
      failures = 0;
      // Behind by many pages, and stores that answer at once: requests, signals and timers have their turn
      // all the same
      if (page.length === limit) await turn();
      return done;
    }
    if (heard === bell.rings() && !stopping) await bell.next(dueIn());
    return at;
  };
  const run = async (): Promise<void> => {
    for (let at = await start(); !stopping; ) at = await step(at);
  };
  const failed = (error: unknown) => {
    const pause = BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!;
    log.error(
      { follower: name, err: error, retryInMs: pause },
      `${name} failed and goes on from its checkpoint`,
    );
    // What is written meanwhile must not cut the pause short, the end must
    return stopping ? EMPTY : timer(pause).pipe(takeUntil(stopped));
  };
  const ended = lastValueFrom(defer(run).pipe(retry({ delay: failed })), { defaultValue: undefined });

  return {
    async stop() {
      stopping = true;
      stopped.next();
      bell.ring();
      await ended;
      bell.silence();
    },
  };
}

/** The store's bell, and a heartbeat should it be lost; every projection waits for it after each page. */
function listening(store: EventStore) {
  let rings = 0;
  let wake = () => {};
  const ring = () => {
    rings++;
    wake();
  };
  const silence = store.listen(ring);
  const heartbeat = setInterval(() => wake(), HEARTBEAT_MS);
  return {
    ring,
    rings: () => rings,
    /** Resolves at the next ring or beat, or after so many ms where that is sooner. */
    next: (withinMs: number) =>
      new Promise<void>(resolve => {
        const timer = withinMs < HEARTBEAT_MS ? setTimeout(resolve, withinMs) : undefined;
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    silence() {
      silence();
      clearInterval(heartbeat);
    },
  };
}
