import { setImmediate as turn } from 'node:timers/promises';
import { from, lastValueFrom, mergeMap } from 'rxjs';
import type { EventStore } from '../commands/ports/event-store.js';
import type { Log } from '../commands/ports/log.js';
import type { ReadModels } from '../projections/engine/read-models.js';
import type { EventQueries } from '../projections/events/queries.js';
import type { Running } from './engine/follow.js';
import { answerOf, checkpointOf, type Reactor, type ReactorDeps } from './engine/reactor.js';
import { Turns, type Waiting } from './turns.js';

type Latecomers = {
  /** Works along the log; whatever it finds done already it passes over. */
  readonly reactor: Reactor;
  readonly queries: Pick<EventQueries, 'backlogs'>;
  readonly store: EventStore;
  readonly models: Pick<ReadModels, 'checkpoint'>;
  readonly deps: ReactorDeps;
  readonly clock: () => number;
  /** How many are answered at once, beside those of the reactor. */
  readonly concurrency: number;
  readonly log: Log;
};

const LOOK_EVERY_MS = 250;
/** So many the reactor answers soon enough by itself. */
const IN_SIGHT = 64;
const PAGE = 1_000;
const PAGES_A_ROUND = 20;
const TURNS_A_ROUND = 32;
/** Of one workspace; what comes after them waits for the reactor. */
const LONGEST_LINE = 2_000;

/**
 * Gives each workspace its turn while a reactor has a long way to go: looks ahead of it in the log, and
 * answers one fact of each workspace after the other. It remembers nothing: the reactor comes by all the
 * same, and what failed here is done there.
 */
export function latecomers(options: Latecomers): Running {
  const { log, queries } = options;
  const ahead = lookingAhead(options);
  const answer = answering(options);
  let stopping = false;
  let wake = (): void => undefined;

  /** Answers whether there was anything to do. */
  const round = async (): Promise<boolean> => {
    const backlogs = await queries.backlogs(0);
    const waiting = [...backlogs.values()].reduce((sum, pending) => sum + pending, 0);
    // Alone, a workspace is served by the reactor: nobody reads ahead for it
    if (waiting <= IN_SIGHT || backlogs.size <= 1) {
      ahead.rest();
      return false;
    }
    await ahead.look();
    const taken = ahead.turns.take(TURNS_A_ROUND);
    const answered = from(taken).pipe(
      mergeMap(async each => (stopping ? undefined : answer(each)), options.concurrency),
    );
    await lastValueFrom(answered, { defaultValue: undefined });
    return taken.length > 0;
  };
  const attempt = (): Promise<boolean> =>
    round().catch((err: unknown) => {
      log.warn({ err }, 'workspaces could not be given their turns; tried again');
      return false;
    });
  const run = async (): Promise<void> => {
    while (!stopping) if (!(await attempt()) && !stopping) await pause();
  };
  const pause = (): Promise<void> =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const ended = run();
  return {
    async stop() {
      stopping = true;
      wake();
      await ended;
    },
  };
}

/** Reads the log from where the reactor stands, and holds what it will answer. */
function lookingAhead({ reactor, store, models }: Latecomers) {
  const turns = new Turns(LONGEST_LINE);
  let at: number | null = null;
  return {
    turns,
    async look(): Promise<void> {
      const passed = await models.checkpoint(checkpointOf(reactor));
      turns.passed(passed);
      at = Math.max(at ?? passed, passed);
      for (let pages = 0; pages < PAGES_A_ROUND; pages++) {
        const page = await store.page(at, PAGE);
        for (const { type, meta, journal, revision, position } of page)
          if (reactor.on[type] && meta.workspace) turns.add(meta.workspace, { journal, revision, position });
        at = page.at(-1)?.position ?? at;
        if (page.length < PAGE) return;
        // A store in this process answers without a pause: requests have their turn between two pages
        await turn();
      }
    },
    rest(): void {
      turns.clear();
      at = null;
    },
  };
}

function answering({ reactor, store, deps, clock, log }: Latecomers) {
  return async ({ journal, revision }: Waiting): Promise<void> => {
    try {
      const [fact] = await store.read(journal, revision - 1, 1);
      if (fact) await answerOf(reactor, fact, clock(), deps);
    } catch (err) {
      log.warn({ err, journal, revision }, 'a fact could not be answered ahead of its place');
    }
  };
}
