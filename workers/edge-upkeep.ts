import type { EdgeCommands } from '../commands/edges/records.js';
import type { GoalCommands } from '../commands/goals/records.js';
import type { DiscoveryCommands } from '../commands/discovery/records.js';
import type { Starting } from '../commands/discovery/starting.js';
import type { DiscoveryCompleted, DiscoveryFailed } from '../domain/discovery/facts.js';
import type { EdgeUnblocked } from '../domain/edges/facts.js';
import type { Fact } from '../domain/fact.js';
import type { GoalChanged } from '../domain/goals/facts.js';
import { isOtherSeries } from '../domain/goals/state.js';
import type { EdgeQueries } from '../projections/edges/queries.js';
import { ReadModelsBehind } from './engine/failures.js';
import type { Reactor } from './engine/reactor.js';

type Deps = {
  readonly edges: Pick<EdgeCommands, 'outdate' | 'state'>;
  readonly queries: Pick<EdgeQueries, 'ofGoal'>;
  readonly discoveries: Pick<DiscoveryCommands, 'state'>;
  readonly start: Starting;
  readonly goals: Pick<GoalCommands, 'health' | 'state'>;
  /** Whether read models of edges hold a position now; it waits a bounded time. */
  readonly caughtUp: (position: number) => Promise<boolean>;
};

/** What follows for edges, and for the health of goals, from what happens to goals, edges and discoveries. */
export function edgeUpkeep({ edges, queries, discoveries, start, goals, caughtUp }: Deps): Reactor {
  /** Edges that were measured of another series than the goal has now, and by which check. */
  async function outdatedBy({
    data: { goalId, settings },
    meta,
    position,
  }: Fact<GoalChanged>): Promise<{ readonly edgeId: string; readonly checkId: string }[]> {
    if (!(await caughtUp(position)))
      throw new ReadModelsBehind(`the read models do not hold ${position} yet`);
    const workspace = meta.workspace!;
    const isOther = new Map<string, boolean>();
    const found: { readonly edgeId: string; readonly checkId: string }[] = [];
    for (const { edge_id: edgeId, state } of await queries.ofGoal(workspace, goalId)) {
      const { measured, lastCheckId: checkId } = state;
      if (measured === null || checkId === null) continue;
      if (!isOther.has(checkId)) {
        const check = await discoveries.state({ workspace, discoveryId: checkId });
        isOther.set(checkId, check.status !== 'none' && isOtherSeries(check.started.subject, settings));
      }
      if (isOther.get(checkId)) found.push({ edgeId, checkId });
    }
    return found;
  }

  return {
    name: 'edge-upkeep',
    concurrency: 4,
    on: {
      async EdgeUnblocked({ data: { edgeId, goalId }, meta }: Fact<EdgeUnblocked>, context) {
        const of = { workspace: meta.workspace!, goalId };
        if ((await goals.state(of)).status === 'none') return;
        await start.recheck(of, [edgeId], 'unblocked', context);
      },
      async GoalChanged(fact: Fact<GoalChanged>, context) {
        const lost = await outdatedBy(fact);
        const { goalId, settings } = fact.data;
        const of = { workspace: fact.meta.workspace!, goalId };
        const isWanted = lost.length > 0 && settings.options.autoDiscovery !== 'off';
        if (isWanted && (await goals.state(of)).status !== 'none') await start.search(of, 'changed', context);
        // Last: who was killed before it sees again what is lost
        for (const each of lost) await edges.outdate({ workspace: of.workspace, ...each }, context);
      },
      async DiscoveryCompleted({ data, meta }: Fact<DiscoveryCompleted>, context) {
        if (data.kind !== 'search') return;
        const of = { workspace: meta.workspace!, goalId: data.goalId };
        await goals.health(of, { remove: ['discovery_failed'] }, context);
      },
      async DiscoveryFailed({ data, meta }: Fact<DiscoveryFailed>, context) {
        if (data.kind !== 'search' || data.trigger === 'activation') return;
        const of = { workspace: meta.workspace!, goalId: data.goalId };
        await goals.health(of, { add: ['discovery_failed'] }, context);
      },
    },
  };
}
