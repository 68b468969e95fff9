import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';

/** A process that serves, as it tells the others. `ready`: workers by the names of models. */
export type ServingProcess = {
  readonly id: string;
  /** Where it is asked; null: by nobody but itself. */
  readonly url: string | null;
  readonly threads: number;
  readonly ready: Readonly<Record<string, number>>;
  /** Until when this holds, epoch ms. */
  readonly until: number;
};

type Opening = {
  /** Shared by all processes. */
  readonly kv: KeyValue;
  readonly clock: () => number;
  readonly log: Log;
  /** What this process says of itself, without its term; null: it does not serve. */
  readonly own: () => Omit<ServingProcess, 'until'> | null;
  readonly everyMs?: number;
};
export type Registry = {
  /** As they were known a moment ago. */
  readonly processes: () => readonly ServingProcess[];
  /** Says and asks now. */
  readonly refresh: () => Promise<void>;
  /** Called after each time that others were asked. */
  readonly onRefresh: (heard: () => void) => void;
  /** Says that this process serves no more. */
  readonly close: () => Promise<void>;
};

const KEY = 'serving/processes';
const EVERY_MS = 1_000;
/** A process that says nothing for so many rounds is taken to be gone. */
const ROUNDS = 5;
const TRIES = 10;

/** Which processes serve: each says so again and again, and who falls silent is gone after a while. */
export function registry({ kv, clock, log, own, everyMs = EVERY_MS }: Opening): Registry {
  let known: readonly ServingProcess[] = [];
  let under: Promise<void> = Promise.resolve();
  let listener = (): void => undefined;

  /** Where another was first, it is said again on what that one wrote. */
  const say = async (mine: Omit<ServingProcess, 'until'>, until: number): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const entry = await kv.get<ServingProcess[]>(KEY);
      const now = clock();
      const others = (entry?.value ?? []).filter(each => each.id !== mine.id && each.until > now);
      const all = until > now ? [...others, { ...mine, until }] : others;
      if ((await kv.set(KEY, all, entry?.version ?? 0, null)) === null) continue;
      known = all;
      return;
    }
  };
  const look = async (): Promise<void> => {
    const entry = await kv.get<ServingProcess[]>(KEY);
    known = (entry?.value ?? []).filter(({ until }) => until > clock());
  };
  const round = async (): Promise<void> => {
    const mine = own();
    if (mine) await say(mine, clock() + ROUNDS * everyMs);
    else await look();
    listener();
  };
  const refresh = (): Promise<void> => {
    under = under.then(round).catch((err: unknown) => {
      log.warn({ err }, 'which processes serve could not be asked; tried again');
    });
    return under;
  };
  const timer = setInterval(() => void refresh(), everyMs);
  timer.unref();
  return {
    processes: () => known.filter(({ until }) => until > clock()),
    refresh,
    onRefresh(heard) {
      listener = heard;
    },
    async close() {
      clearInterval(timer);
      await under;
      const mine = own();
      if (mine) await say(mine, 0).catch(() => undefined);
    },
  };
}
