import { setTimeout as pause } from 'node:timers/promises';
import { journalOf, type Decider } from '../../domain/decider.js';
import type { Message, Meta, NewFact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { StoreUnavailable, WrongRevision, type EventStore } from '../ports/event-store.js';
import { afterLosing, type Context, type Outcome } from './handle.js';
import { loaded, unwritten, type KnownState } from './loading.js';

/** A decider whose states do not hang on where in the log its facts come to stand. */
export type Foretelling<C extends Message, E extends Message, S> = Decider<C, E, S> & {
  readonly evolve: (state: S, fact: NewFact<E>) => S;
};

type Deps = {
  readonly store: EventStore;
  readonly newId: () => string;
  /** Other processes write to the same store. */
  readonly shared: boolean;
};
type Waiting<C, E extends Message, S> = {
  readonly command: C;
  readonly context: Context;
  /** Begun in the same turn of the event loop as the append, once what was decided is no refusal. */
  alongside: (() => void) | null;
  readonly resolve: (outcome: Outcome<E, S>) => void;
  readonly reject: (error: unknown) => void;
};
/** What one command led to, and the state after it. */
type Decided<C, E extends Message, S> = {
  readonly of: Waiting<C, E, S>;
  readonly facts: readonly NewFact<E>[];
  readonly refused: Rejected | null;
  readonly after: S;
  readonly revision: number;
};
type Line<C, E extends Message, S> = {
  waiting: Waiting<C, E, S>[];
  /** Null: nobody is at it. */
  work: Promise<void> | null;
  /** How the journal stands as far as this process knows. */
  stands: KnownState<S> | null;
};

/** Commands that are decided in one go. */
const MOST_TOGETHER = 200;
/**
 * Each process has one line for a journal, so few race for it: who lost comes back soon, for whoever pauses
 * long meets others who are faster.
 */
const SHORT_PAUSES = 3;
/**
 * After so many appends in a row others are let in for as long as a few take: who goes on at once is always
 * ahead of those who must read first.
 */
const IN_A_ROW = 4;
/** A race is decided again for so long before those who wait are told to come back. */
const PATIENCE_MS = 10_000;
/** Journals whose states stay in memory. */
const MOST_KNOWN = 10_000;

/**
 * For journals that many write to at once, and that grow for ever: commands that come while one is being
 * written wait, and are then decided one after the other and appended together. How a journal stands is
 * remembered; at first it is taken from `beginning` (what read models hold; null: nothing), and the facts
 * behind it are read. As with `handle`, what others wrote meanwhile is noticed at the append, and nobody is
 * refused, or told that nothing is to do, on what may be out of date.
 */
export const togetherOn =
  (deps: Deps) =>
  <C extends Message, E extends Message, S>(
    decider: Foretelling<C, E, S>,
    beginning: (id: string) => Promise<KnownState<S> | null>,
  ) =>
    together(deps, decider, beginning);
export type Together = ReturnType<typeof togetherOn>;

function together<C extends Message, E extends Message, S>(
  { store, newId, shared }: Deps,
  decider: Foretelling<C, E, S>,
  beginning: (id: string) => Promise<KnownState<S> | null>,
) {
  const lines = new Map<string, Line<C, E, S>>();

  const lineOf = (id: string): Line<C, E, S> => {
    const line = lines.get(id) ?? { waiting: [], work: null, stands: null };
    lines.delete(id);
    lines.set(id, line);
    for (const [oldest, { work }] of lines) {
      if (lines.size <= MOST_KNOWN) break;
      if (!work) lines.delete(oldest);
    }
    return line;
  };

  const work = async (id: string, line: Line<C, E, S>): Promise<void> => {
    for (let row = 1; line.waiting.length > 0; row++) {
      const some = line.waiting.splice(0, MOST_TOGETHER);
      const begun = performance.now();
      try {
        line.stands = await written(id, some, line.stands);
      } catch (error) {
        // Whether it was written may not be known: the journal is read again
        line.stands = null;
        for (const { reject } of some) reject(error);
      }
      if (shared && row % IN_A_ROW === 0) await pause(3 * (performance.now() - begun));
    }
    line.work = null;
  };

  const written = async (
    id: string,
    some: readonly Waiting<C, E, S>[],
    known: KnownState<S> | null,
  ): Promise<KnownState<S>> => {
    const read = (from: KnownState<S>) => loaded(store, decider, id, null, from);
    let stands = known ?? (await read((await beginning(id)) ?? unwritten(decider)));
    let isFresh = known === null;
    const until = performance.now() + PATIENCE_MS;
    for (let times = 1; performance.now() < until; ) {
      const decided = inOrder(some, stands);
      if (!isFresh && decided.some(({ facts }) => facts.length === 0)) {
        stands = await read(stands);
        isFresh = true;
        continue;
      }
      const facts = decided.flatMap(each => each.facts);
      try {
        const appending = facts.length > 0 && store.append(journalOf(decider, id), stands.revision, facts);
        for (const { of } of decided.filter(({ refused }) => !refused)) beginAlongside(of);
        const position = appending ? (await appending).position : stands.position;
        for (const each of decided) settle(each, position);
        const { after: state, revision } = decided.at(-1)!;
        return { state, revision, position };
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        await afterLosing(Math.min(times++, SHORT_PAUSES));
        stands = await read(stands);
        isFresh = true;
      }
    }
    throw new StoreUnavailable(`${journalOf(decider, id)} is written to by too many at once`);
  };

  const inOrder = (some: readonly Waiting<C, E, S>[], from: KnownState<S>): Decided<C, E, S>[] => {
    let { state, revision } = from;
    return some.map(of => {
      const { facts, refused } = decidedIn(of, state);
      state = facts.reduce((before, fact) => decider.evolve(before, fact), state);
      revision += facts.length;
      return { of, facts, refused, after: state, revision };
    });
  };

  const decidedIn = ({ command, context }: Waiting<C, E, S>, state: S) => {
    try {
      const facts = decider.decide(command, state).map(message => asFact(message, context, newId()));
      return { facts, refused: null };
    } catch (error) {
      if (error instanceof Rejected) return { facts: [], refused: error };
      throw error;
    }
  };

  return {
    /**
     * `alongside` begins another append in the same turn of the event loop, when what was decided is no
     * refusal: stores that write all that waits in one go write both or neither.
     * @throws Rejected as the decider does
     */
    handle: (command: C, context: Context, alongside: (() => void) | null = null): Promise<Outcome<E, S>> =>
      new Promise((resolve, reject) => {
        const id = decider.idOf(command);
        const line = lineOf(id);
        line.waiting.push({ command, context, alongside, resolve, reject });
        line.work ??= work(id, line);
      }),
    /** How a journal stands as far as this process knows; null: it was not written to here of late. */
    stands: (id: string): KnownState<S> | null => lines.get(id)?.stands ?? null,
    /** Waits for what is being written to a journal; answers the position of its last fact known here. */
    async settled(id: string): Promise<number | null> {
      const line = lines.get(id);
      await line?.work;
      return line?.stands?.position ?? null;
    },
  };
}

function beginAlongside<C, E extends Message, S>(waiting: Waiting<C, E, S>): void {
  const { alongside } = waiting;
  // When the append is made again it was begun already
  waiting.alongside = null;
  alongside?.();
}

function settle<C, E extends Message, S>(
  { of, facts, refused, after, revision }: Decided<C, E, S>,
  position: number | null,
): void {
  if (refused) of.reject(refused);
  else of.resolve({ facts, position, after, revision });
}

function asFact<E extends Message>(message: E, context: Context, id: string): NewFact<E> {
  const { at, workspace, actor, request, correlation, causation } = context;
  const meta: Meta = { workspace, actor, request, correlation, causation };
  return { id, at, meta, ...message };
}
