import type { Fact, Message } from './fact.js';

/**
 * The rules of one kind of thing, pure: what a command leads to in a state, and what a fact makes of a state.
 * `decide` throws `Rejected` for what may not be, and answers [] for what is already so.
 */
export type Decider<C extends Message, E extends Message, S> = {
  /** First part of the journal's name: `<category>-<id>`. */
  readonly category: string;
  /** Identity within the category: `<workspace>.<id>` for what belongs to a workspace. */
  readonly idOf: (command: C) => string;
  readonly initialState: S;
  readonly decide: (command: C, state: S) => readonly E[];
  readonly evolve: (state: S, fact: Fact<E>) => S;
  /**
   * Other journals whose facts this state also follows, in the order of the whole log, once its own facts are
   * known (an event ends with the stream it lies in). `command`: null where the state is only looked at.
   */
  readonly within?: (state: S, id: string, command: C | null) => readonly string[];
};

/** The journal of the thing with an id. */
export const journalOf = ({ category }: { readonly category: string }, id: string): string =>
  `${category}-${id}`;

/** Folds facts, oldest first, into a state. */
export const fold = <C extends Message, E extends Message, S>(
  { evolve }: Decider<C, E, S>,
  state: S,
  facts: readonly Fact[],
): S => facts.reduce((s, fact) => evolve(s, fact as Fact<E>), state);
