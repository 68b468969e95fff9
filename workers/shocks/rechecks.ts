import type { Starting } from '../../commands/discovery/starting.js';
import type { Fact } from '../../domain/fact.js';
import type { ShockExited } from '../../domain/shocks/facts.js';
import { wasLost } from '../../domain/shocks/bar.js';
import { Rejected } from '../../domain/rejected.js';
import type { Reactor } from '../engine/reactor.js';

type Deps = { readonly start: Pick<Starting, 'recheck'> };

/**
 * Where a shock ended by its time alone, or the champion alone would have done better, the edges that it
 * rested on are looked at again: what they say of events may hold no more.
 */
export const shockRechecks = ({ start }: Deps): Reactor => ({
  name: 'shock-rechecks',
  concurrency: 4,
  on: {
    async ShockExited({ data: { goalId, reason, edgeIds, grade }, meta }: Fact<ShockExited>, context) {
      if ((reason !== 'timeout' && !wasLost(grade)) || edgeIds.length === 0) return;
      await start.recheck({ workspace: meta.workspace!, goalId }, edgeIds, 'shock', context).catch(refusal);
    },
  },
});

/** The goal has gone, or rests. */
function refusal(error: unknown): void {
  if (!(error instanceof Rejected)) throw error;
}
