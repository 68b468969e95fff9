import { setImmediate as turn } from 'node:timers/promises';
import {
  defer,
  EMPTY,
  expand,
  filter,
  firstValueFrom,
  from,
  lastValueFrom,
  race,
  retry,
  Subject,
  takeUntil,
  takeWhile,
  timer,
} from 'rxjs';
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
   * answers.
   */
  readonly work: (page: readonly Fact[]) => Promise<number>;
  readonly pageSize: number;
  readonly log: Log;
};

/** Something that runs until it is told to stop; `stop` resolves when what it was doing is done. */
export type Running = { readonly stop: () => Promise<void> };

const HEARTBEAT_MS = 1_000;
const BACK_OFF_MS = [50, 200, 1_000, 5_000];

/**
 * Follows the log from a position, for ever: pull a page, finish it, pull the next. RxJS has no
 * back-pressure, so facts are never pushed into it; the store's bell only ends the wait at the end of the
 * log. A failure is logged and tried again from the checkpoint, with growing pauses.
 */
export function follow({ name, store, from: start, work, pageSize, log }: Following): Running {
  const bell = new Subject<void>();
  let rings = 0;
  let failures = 0;
  let stopping = false;
  const silence = store.listen(() => {
    rings++;
    bell.next();
  });

  const step = async (at: number): Promise<number> => {
    const heard = rings;
    const page = await store.page(at, pageSize);
    if (page.length > 0) {
      const done = await work(page);
      failures = 0;
      // Behind by many pages, and stores that answer at once: requests, signals and timers have their turn
      // all the same
      if (page.length === pageSize) await turn();
      return done;
    }
    if (heard === rings && !stopping) await firstValueFrom(race(bell, timer(HEARTBEAT_MS)));
    return at;
  };
  const failed = (error: unknown) => {
    const pause = BACK_OFF_MS[Math.min(failures++, BACK_OFF_MS.length - 1)]!;
    log.error(
      { follower: name, err: error, retryInMs: pause },
      `${name} failed and goes on from its checkpoint`,
    );
    // What is written meanwhile must not cut the pause short, the end must
    return stopping ? EMPTY : timer(pause).pipe(takeUntil(bell.pipe(filter(() => stopping))));
  };
  const pages = defer(() => from(start())).pipe(
    takeWhile(() => !stopping),
    expand(at => (stopping ? [] : from(step(at))), 1),
    retry({ delay: failed }),
  );
  const ended = lastValueFrom(pages, { defaultValue: null });

  return {
    async stop() {
      stopping = true;
      bell.next();
      await ended;
      silence();
    },
  };
}
