import type { Starting } from '../../commands/discovery/starting.js';
import type { Fact } from '../../domain/fact.js';
import type { ShockExited } from '../../domain/shocks/facts.js';
import { Rejected } from '../../domain/rejected.js';
import type { Reactor } from '../engine/reactor.js';

type Deps = { readonly start: Pick<Starting, 'recheck'> };

/** Where a shock ended by its time alone, the edges that it rested on are looked at again. */
export const shockRechecks = ({ start }: Deps): Reactor => ({
  name: 'shock-rechecks',
  concurrency: 4,
  on: {
    async ShockExited({ data: { goalId, reason, edgeIds }, meta }: Fact<ShockExited>, context) {
      if (reason !== 'timeout' || edgeIds.length === 0) return;
      await start.recheck({ workspace: meta.workspace!, goalId }, edgeIds, 'shock', context).catch(refusal);
    },
  },
});

/** The goal has gone, or rests. */
function refusal(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
