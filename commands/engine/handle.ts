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
const afterLosing = (times: number): Promise<void> | null =>
  times < 2 ? null : pause(Math.random() * Math.min(2 ** times, LONGEST_PAUSE_MS));

/**
 * The only way anything is written: load the journal, fold, decide, append at the revision seen. From what is
 * `known` it decides without reading, and appends at that revision; only when that is refused, or nothing
 * would be written on its word, the facts behind it are read (a decider with `within` may know a journal from
 * its beginning only). `newId` makes a UUID for each fact.
 */
export const handler =
  (store: EventStore, newId: () => string): Handle =>
  async (decider, command, context, known) => {
    const id = decider.idOf(command);
    const journal = journalOf(decider, id);
    const from = known ?? unwritten(decider);
    const { at, workspace, actor, request, correlation, causation } = context;
    const meta: Meta = { workspace, actor, request, correlation, causation };
    for (let left = TRIES; left > 0; left--) {
      const guessing = known !== undefined && left === TRIES;
      const load = guessing ? guessed : loaded;
      const { state: before, revision, position: madeBy } = await load(store, decider, id, command, from);
      const decided = guessing ? decidedIn(decider, command, before) : decider.decide(command, before);
      if (decided === null) continue;
      if (decided.length === 0) return { facts: [], position: madeBy, after: before, revision };
      const facts = decided.map(message => ({ id: newId(), at, meta, ...message }));
      try {
        const { position } = await store.append(journal, revision, facts);
        const stored = facts.map((fact, i) => ({ journal, revision: revision + 1 + i, position, ...fact }));
        return { facts, position, after: fold(decider, before, stored), revision: revision + facts.length };
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
        await afterLosing(TRIES - left + 1);
      }
    }
    throw new StoreUnavailable(`${journal} is written to by too many at once`);
  };

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
    (await loaded(store, decider, id, null, unwritten(decider))).state;
