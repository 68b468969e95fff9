import * as assert from 'uvu/assert';
import { fold, type Decider } from '../domain/decider.js';
import type { Fact, Message, Meta } from '../domain/fact.js';

export const meta: Meta = {
  workspace: 'w',
  actor: 'token:t',
  request: 'r',
  correlation: 'c',
  causation: null,
};

/**
 * Facts as a store would hold them: one journal, consecutive positions; `at` counts with them unless given.
 */
export const stored = <E extends Message>(...messages: (E & { readonly at?: number })[]): Fact<E>[] =>
  messages.map((message, i) => ({
    at: i,
    ...message,
    id: `f${i}`,
    journal: 'j',
    revision: i,
    position: i,
    meta,
  }));

type Past<E extends Message> = E & { readonly at?: number };

/** `given(decider, ...past).when(command).then(...facts) | thenNothing() | thenRejected(/message/)`. */
export const given = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  ...past: Past<NoInfer<E>>[]
) => givenState(decider, decider.initialState, ...past);

/** As `given`, from a state that was not made of facts at hand: a snapshot. */
export const givenState = <C extends Message, E extends Message, S>(
  decider: Decider<C, E, S>,
  state: S,
  ...past: Past<NoInfer<E>>[]
) => ({
  when(command: NoInfer<C>) {
    const run = () => decider.decide(command, fold(decider, state, stored(...past)));
    return {
      then: (...expected: E[]) => assert.equal(run(), expected),
      thenNothing: () => assert.equal(run(), []),
      thenRejected: (message: RegExp) => assert.throws(run, (error: Error) => message.test(error.message)),
    };
  },
});
