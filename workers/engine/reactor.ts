import { from, lastValueFrom, mergeMap, of, toArray } from 'rxjs';
import type { Context, Handle, Load } from '../../commands/engine/handle.js';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import { type Fact, START } from '../../domain/fact.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { attempting, settle } from './attempt.js';
import { follow, type Running } from './follow.js';
import { SetAside } from './set-aside.js';

/** What a reactor may do: look at a state as its facts tell it, and give commands in its own name. */
export type ReactorDeps = { readonly handle: Handle; readonly load: Load };

/**
 * Answers facts with further commands. It may see a fact again after a crash, so each job first looks whether
 * its work is already done; what it decides is decided by a decider like anything else.
 */
export type Reactor = {
  readonly name: string;
  readonly on: Readonly<
    Record<string, (fact: Fact<never>, context: Context, deps: ReactorDeps) => Promise<void>>
  >;
  /** How many facts are answered at once; their order is not kept. */
  readonly concurrency: number;
};

type Reacting = {
  readonly store: EventStore;
  readonly models: ReadModels;
  readonly kv: KeyValue;
  readonly deps: ReactorDeps;
  /** The number of this leadership, where several processes may react. */
  readonly fence?: (() => number) | undefined;
  readonly clock: () => number;
  readonly log: Log;
  /** Pauses before each further attempt at a fact, ms; one that fails after the last of them is parked. */
  readonly pauses?: readonly number[];
};
export type Reacts = Running & {
  readonly position: () => number;
  /** How many facts wait to be tried again. */
  readonly waiting: () => number;
};

const PAGE_SIZE = 256;
/** So long a checkpoint that says only that facts passed by may wait: to read them again does no harm. */
const PASSED_BY_MS = 1_000;
/** Some four minutes in all. */
const PAUSES = [100, 500, 2_000, 10_000, 30_000, 60_000, 120_000];

export const checkpointOf = ({ name }: { readonly name: string }): string => `reactor_${name}`;

/**
 * Runs a reactor along the log. A fact that it fails at is set aside and tried again later, while others go
 * on. Its checkpoint moves when every fact of a page is answered or set aside, in one commit with what was
 * set aside; where none of a page is its concern, within a second. `stop` begins no further fact and waits
 * for those under way.
 */
export function react(reactor: Reactor, reacting: Reacting): Reacts {
  const { store, models, kv, deps, fence, clock, log, pauses = PAUSES } = reacting;
  const projection = checkpointOf(reactor);
  const setAside = new SetAside({ reactor: reactor.name, models, kv, clock, pauses });
  const answer = (fact: Fact): Promise<void> | null => answerOf(reactor, fact, clock(), deps);
  const attempt = attempting({ reactor: reactor.name, answer, store, log });
  let position = START;
  let written = START;
  /** Since when facts passed by of which the checkpoint does not tell, as `performance.now` tells. */
  let passingSince = Number.POSITIVE_INFINITY;
  let stopping = false;

  /** The one place where a reactor writes what it remembers. */
  const remember = async (checkpoint: number): Promise<void> => {
    const changes = setAside.changes();
    if (checkpoint > written || changes.length > 0)
      await models.commit({ projection, checkpoint, changes, sweeps: [], fence: fence?.() });
    position = written = checkpoint;
    passingSince = Number.POSITIVE_INFINITY;
    setAside.committed();
  };
  const passBy = (upTo: number): void => {
    position = upTo;
    passingSince = Math.min(passingSince, performance.now());
  };
  const dueIn = (): number =>
    Math.min(setAside.dueIn(), Math.max(0, passingSince + PASSED_BY_MS - performance.now()));

  const work = async (page: readonly Fact[]): Promise<number> => {
    await setAside.takeRetries();
    const mine = page.filter(({ id, type }) => reactor.on[type] !== undefined && !setAside.has(id));
    const outcomes = await lastValueFrom(
      from([...mine, ...setAside.due(PAGE_SIZE)]).pipe(
        mergeMap(fact => (stopping ? of(null) : attempt(fact)), reactor.concurrency),
        toArray(),
      ),
    );
    const begun = outcomes.filter(outcome => outcome !== null);
    settle(begun, setAside, reactor.name, log);
    const seen = new Set(begun.map(({ fact }) => fact));
    const left = mine.find(fact => !seen.has(fact));
    const behind = left ? page.slice(0, page.indexOf(left)) : page;
    const upTo = behind.at(-1)?.position ?? position;
    if (outcomes.length > 0 || setAside.changes().length > 0 || dueIn() === 0) await remember(upTo);
    else passBy(upTo);
    return position;
  };

  const following = follow({
    name: `reactor ${reactor.name}`,
    store,
    log,
    work,
    room: () => Math.min(PAGE_SIZE, setAside.room()),
    dueIn,
    async from() {
      position = written = await models.checkpoint(projection, fence?.());
      passingSince = Number.POSITIVE_INFINITY;
      await setAside.load();
      return position;
    },
  });
  return {
    position: () => position,
    waiting: () => setAside.waiting(),
    stop() {
      stopping = true;
      return following.stop();
    },
  };
}

/** Answers one fact in the reactor's name; null when it has no answer to such. `at`: now, epoch ms. */
export function answerOf(
  { name, on }: Reactor,
  fact: Fact,
  at: number,
  deps: ReactorDeps,
): Promise<void> | null {
  const { workspace, correlation } = fact.meta;
  const context = {
    ...{ workspace, correlation, at },
    actor: `reactor:${name}`,
    request: null,
    causation: fact.id,
  };
  return on[fact.type]?.(fact as Fact<never>, context, deps) ?? null;
}
