import type { Decider } from '../../domain/decider.js';
import type { Message } from '../../domain/fact.js';
import type { Context, Handle, Look, Outcome } from './handle.js';
import type { KnownState } from './loading.js';

type Deps = { readonly handle: Handle; readonly look: Look };
/** What the states that stay in memory may weigh together, and what one does. */
type Memory<S> = { readonly most: number; readonly weigh: (state: S) => number };

/**
 * For journals that grow long, and that somebody writes to again and again: how those of late stand is
 * remembered, the states of which share what they have in common, so that a command costs the same however
 * long the journal is. What others wrote meanwhile is noticed, as `handle` says.
 */
export function remembered<C extends Message, E extends Message, S>(
  { handle, look }: Deps,
  decider: Decider<C, E, S>,
  { most, weigh }: Memory<S>,
) {
  const known = new Map<string, KnownState<S>>();
  let weight = 0;

  const keep = (id: string, stands: KnownState<S>): void => {
    const before = known.get(id);
    // Another command has come further meanwhile
    if (before && before.revision > stands.revision) return;
    weight += weigh(stands.state) - (before ? weigh(before.state) : 0);
    known.delete(id);
    known.set(id, stands);
    for (const [oldest, { state }] of known) {
      if (weight <= most) return;
      known.delete(oldest);
      weight -= weigh(state);
    }
  };

  return {
    async handle(command: C, context: Context): Promise<Outcome<E, S>> {
      const id = decider.idOf(command);
      const outcome = await handle(decider, command, context, known.get(id));
      const { after: state, revision, position } = outcome;
      keep(id, { state, revision, position });
      return outcome;
    },
    /** The state of a journal as its facts tell it now. */
    async load(id: string): Promise<S> {
      const stands = await look(decider, id, known.get(id));
      keep(id, stands);
      return stands.state;
    },
  };
}
