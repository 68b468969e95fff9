import { fold, journalOf, type Decider } from '../domain/decider.js';
import { START, type Fact, type Message, type Meta, type NewFact } from '../domain/fact.js';
import { StoreUnavailable, WrongRevision, type EventStore } from './event-store.js';

/** From whom and from what a command comes, and when: `at` is the platform's clock, epoch ms. */
export type Context = Meta & { readonly at: number };

export type Outcome<E extends Message, S> = {
  /** What was decided; [] when it was already so. */
  readonly facts: readonly NewFact<E>[];
  /**
   * Position of the last fact written or, when it was already so, of the fact that made it so: who answers a caller waits until
   * read models hold it. Null: there is none.
   */
  readonly position: number | null;
  /** The state that the decision led to. */
  readonly after: S;
};

export type Handle = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>, command: C, context: Context, options?: { readonly likelyNew?: boolean },
) => Promise<Outcome<E, S>>;

/** A race for one journal is decided again on fresh state this often before the caller is told to come back. */
const TRIES = 12;

/**
 * The only way anything is written: load the journal, fold, decide, append at the revision seen.
 * `likelyNew` appends to a journal thought not to exist without reading it first; only when it does exist is it read.
 * `newId` makes a UUID for each fact.
 */
export const handler = (store: EventStore, newId: () => string): Handle =>
  async (decider, command, context, { likelyNew = false } = {}) => {
    const journal = journalOf(decider, command);
    const { at, workspace, actor, request, correlation, causation } = context;
    const meta: Meta = { workspace, actor, request, correlation, causation };
    for (let left = TRIES; left > 0; left--) {
      const own = likelyNew && left === TRIES ? [] : await store.read(journal);
      const before = await stateOf(store, decider, command, own);
      const facts = decider.decide(command, before).map(message => ({ id: newId(), at, meta, ...message }));
      if (facts.length === 0) return { facts, position: own.at(-1)?.position ?? null, after: before };
      const expected = own.at(-1)?.revision ?? START;
      try {
        const { position } = await store.append(journal, expected, facts);
        const stored = facts.map((fact, i) => ({ journal, revision: expected + 1 + i, position, ...fact }));
        return { facts, position, after: fold(decider, before, stored) };
      } catch (error) {
        if (!(error instanceof WrongRevision)) throw error;
      }
    }
    throw new StoreUnavailable(`${journal} is written to by too many at once`);
  };

/** The state of one thing as its facts tell it now. */
export type Load = <C extends Message, E extends Message, S>(decider: Decider<C, E, S>, command: C) => Promise<S>;

export const loader = (store: EventStore): Load =>
  async (decider, command) => stateOf(store, decider, command, await store.read(journalOf(decider, command)));

/** There at once when no other journal matters. */
function stateOf<C extends Message, E extends Message, S>(
  store: EventStore, decider: Decider<C, E, S>, command: C, own: readonly Fact[],
): S | Promise<S> {
  const state = fold(decider, decider.initialState, own);
  const around = decider.within?.(state, command) ?? [];
  if (around.length === 0) return state;
  return Promise.all(around.map(journal => store.read(journal))).then(others =>
    fold(decider, decider.initialState, [...own, ...others.flat()].sort((a, b) => a.position - b.position)));
}
