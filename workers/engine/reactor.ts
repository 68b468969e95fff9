import { from, lastValueFrom, mergeMap } from 'rxjs';
import type { EventStore } from '../../commands/ports/event-store.js';
import type { Context, Handle, Load } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import type { ReadModels } from '../../projections/engine/read-models.js';
import { follow, type Running } from './follow.js';
import type { Log } from '../../commands/ports/log.js';

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
  readonly deps: ReactorDeps;
  /** The number of this leadership, where several processes may react. */
  readonly fence?: (() => number) | undefined;
  readonly clock: () => number;
  readonly log: Log;
};
export type Reacts = Running & { readonly position: () => number };

const PAGE_SIZE = 256;

export const checkpointOf = ({ name }: { readonly name: string }): string => `reactor_${name}`;

/** Runs a reactor along the log; its checkpoint moves when a whole page is answered. */
export function react(reactor: Reactor, { store, models, deps, fence, clock, log }: Reacting): Reacts {
  const projection = checkpointOf(reactor);
  let position = -1;
  const answer = async (fact: Fact): Promise<void> =>
    reactor.on[fact.type]!(
      fact as Fact<never>,
      {
        workspace: fact.meta.workspace,
        actor: `reactor:${reactor.name}`,
        request: null,
        at: clock(),
        correlation: fact.meta.correlation,
        causation: fact.id,
      },
      deps,
    );
  const following = follow({
    name: `reactor ${reactor.name}`,
    store,
    pageSize: PAGE_SIZE,
    log,
    from: async () => (position = await models.checkpoint(projection, fence?.())),
    work: async page => {
      const mine = page.filter(fact => reactor.on[fact.type] !== undefined);
      await lastValueFrom(from(mine).pipe(mergeMap(answer, reactor.concurrency)), {
        defaultValue: undefined,
      });
      position = page.at(-1)!.position;
      const bare = { projection, checkpoint: position, changes: [], sweeps: [] };
      await models.commit({ ...bare, fence: fence?.() });
      return position;
    },
  });
  return { ...following, position: () => position };
}
