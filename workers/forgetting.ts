import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { dayOf } from '../domain/notifications/forgetting.js';
import { DAY, SECOND } from '../domain/time.js';
import type { Running } from './engine/follow.js';
import { rounds } from './engine/rounds.js';

type Deps<T> = {
  /** For so long something is kept after the day (UTC) on which it was over, ms. */
  readonly keptFor: number;
  /** What was over on a day or earlier, the first of it. */
  readonly over: (day: string) => Promise<readonly T[]>;
  readonly forget: (over: T, context: Context) => Promise<{ readonly position: number | null }>;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Waits, a bounded time, until the read models hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
  readonly log: Log;
};

const EVERY_MS = SECOND;

/** Forgets what was over long ago. By facts, so that read models that are built anew do not have it again. */
export function forgetting<T>({ keptFor, over, forget, clock, newId, visible, log }: Deps<T>): Running {
  const context = (): Context => ({
    ...{ workspace: null, actor: 'scheduler:forgetting', request: null },
    ...{ correlation: newId(), causation: null, at: clock() },
  });
  return rounds(EVERY_MS, log, 'what is over was not forgotten; tried again', async goesOn => {
    for (const each of await over(dayOf(clock() - keptFor - DAY))) {
      if (!goesOn()) return;
      await visible((await forget(each, context())).position);
    }
  });
}
