import { setTimeout as pause } from 'node:timers/promises';
import { fold, journalOf, type Decider } from '../../domain/decider.js';
import type { Message, Meta, NewFact } from '../../domain/fact.js';
import { Rejected } from '../../domain/rejected.js';
import { StoreUnavailable, WrongRevision, type EventStore } from '../ports/event-store.js';
import { guessed, loaded, unwritten, type KnownState } from './loading.js';

/** From whom and from what a command comes, and when: `at` is the platform's clock, epoch ms. */
export type Context = Meta & { readonly at: number };

export type Outcome<E extends Message, S> = {
  /** What was decided; [] when it was already so. */
  readonly facts: readonly NewFact<E>[];
  /**
   * Position of the last fact written or, when it was already so, of the fact that made it so: who answers a
   * caller waits until read models hold it. Null: there is none.
   */
  readonly position: number | null;
  /** The state that the decision led to, and the journal's revision it stands at. */
  readonly after: S;
  readonly revision: number;
};

export { unwritten, type KnownState };

export type Handle = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  command: C,
  context: Context,
  known?: KnownState<S>,
) => Promise<Outcome<E, S>>;

/**
 * A race for one journal is decided again on fresh state this often before the caller is told to come back.
 */
const TRIES = 30;
const LONGEST_PAUSE_MS = 64;

/**
 * Who loses again and again waits a while, longer each time and by chance, for writers in step never let each
 * other in. No decision depends on this: time comes to commands in `Context.at` alone.
 */
export const afterLosing = (times: number): Promise<void> | null =>
  times < 2 ? null : pause(Math.random() * Math.min(2 ** times, LONGEST_PAUSE_MS));

type Writing = { readonly store: EventStore; readonly newId: () => string };

/**
 * The only way anything is written: load the journal, fold, decide, append at the revision seen. From what is
 * `known` it decides without reading, and appends at that revision; only when that is refused, or nothing
 * would be written on its word, the facts behind it are read (a decider with `within` may know a journal from
 * its beginning only). `newId` makes a UUID for each fact.
 */
export const handler =
  (store: EventStore, newId: () => string): Handle =>
  async (decider, command, context, known) => {
    const writing = { store, newId };
    const id = decider.idOf(command);
    if (known) {
      const before = await guessed(store, decider, id, command, known);
      const decided = decidedIn(decider, command, before.state);
      const outcome = decided && (await appended(writing, decider, id, before, decided, context));
      if (outcome) return outcome;
    }
    const from = known ?? unwritten(decider);
    for (let times = 1; times <= TRIES; times++) {
      const before = await loaded(store, decider, id, command, from);
      const decided = decider.decide(command, before.state);
      if (decided.length === 0) return unchanged(before);
      const outcome = await appended(writing, decider, id, before, decided, context);
      if (outcome) return outcome;
      await afterLosing(times);
    }
    throw new StoreUnavailable(`${journalOf(decider, id)} is written to by too many at once`);
  };

/** Appends what was decided in a state, at its revision; null when somebody else has written meanwhile. */
async function appended<C extends Message, E extends Message, S>(
  { store, newId }: Writing,
  decider: Decider<C, E, S>,
  id: string,
  before: KnownState<S>,
  decided: readonly E[],
  { at, workspace, actor, request, correlation, causation }: Context,
): Promise<Outcome<E, S> | null> {
  const journal = journalOf(decider, id);
  const meta: Meta = { workspace, actor, request, correlation, causation };
  const facts = decided.map(message => ({ id: newId(), at, meta, ...message }));
  try {
    const { position } = await store.append(journal, before.revision, facts);
    const stored = facts.map((fact, i) => ({
      journal,
      revision: before.revision + 1 + i,
      position,
      ...fact,
    }));
    const after = fold(decider, before.state, stored);
    return { facts, position, after, revision: before.revision + facts.length };
  } catch (error) {
    if (error instanceof WrongRevision) return null;
    throw error;
  }
}

const unchanged = <E extends Message, S>({ state, revision, position }: KnownState<S>): Outcome<E, S> => ({
  facts: [],
  position,
  after: state,
  revision,
});

/**
 * What is decided in a state that may be out of date; null when that may not be relied on: refused, or
 * nothing to do.
 */
function decidedIn<C extends Message, E extends Message, S>(
  { decide }: Decider<C, E, S>,
  command: C,
  state: S,
): readonly E[] | null {
  try {
    const decided = decide(command, state);
    return decided.length > 0 ? decided : null;
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}

/** The state of one thing as its facts tell it now; `id`: of its journal, within the decider's category. */
export type Load = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  id: string,
) => Promise<S>;

export const loader =
  (store: EventStore): Load =>
  async (decider, id) =>
    (await looker(store)(decider, id)).state;

/** The same with where it stands; from what is `known` on, so that only the facts behind it are read. */
export type Look = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  id: string,
  known?: KnownState<S>,
) => Promise<KnownState<S>>;

export const looker =
  (store: EventStore): Look =>
  async (decider, id, known = unwritten(decider)) =>
    loaded(store, decider, id, null, known);
