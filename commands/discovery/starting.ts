import type { DiscoverySettings, DiscoveryTrigger, Scope, Wanted } from '../../domain/discovery/facts.js';
import { discoveryRunning } from '../../domain/discovery/refusals.js';
import { ACTING, type EdgeStatus } from '../../domain/goals/ports.js';
import { goalNotFound, invalidState } from '../../domain/goals/refusals.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { goalSteps } from '../../domain/goals/steps.js';
import type { EdgeCommands } from '../edges/records.js';
import type { Context } from '../engine/handle.js';
import { followingId, numberedId, seedOf, type DiscoveryCommands } from './records.js';

export type OfGoal = { readonly workspace: string; readonly goalId: string };
/** What a person may say; absent: as the goal says, and as usual. */
export type SearchWanted = {
  readonly signals?: Wanted | undefined;
  readonly eventStreams?: Wanted | undefined;
  readonly alpha?: number | undefined;
  readonly maxLagS?: number | null | undefined;
};
export type StartingDeps = {
  readonly commands: Pick<DiscoveryCommands, 'start' | 'state'>;
  readonly edges: Pick<EdgeCommands, 'state'>;
  readonly goal: (of: OfGoal) => Promise<GoalState>;
  readonly queries: {
    /** How many there were of a goal, and how many are not over. */
    readonly count: (workspace: string, goalId: string) => Promise<number>;
    readonly countOpen: (workspace: string, goalId: string) => Promise<number>;
  };
};
export type DiscoveryBegun = { readonly discoveryId: string; readonly position: number | null };

export const USUAL_ALPHA = 0.05;
/** So many of a goal may wait for each other. */
export const MOST_OPEN = 10;
/** Of a goal that rests nothing is looked for by itself. */
const RESTS = new Set<LiveGoal['status']>(['draft', 'archived']);

export type Starting = ReturnType<typeof startingOf>;

/**
 * Has a goal's drivers looked for, or edges looked at again. One that follows from a fact (`causation`) is
 * begun once: its id follows from that fact, too.
 * @throws Rejected 404; 409 `invalid_state` of a goal at rest, `discovery_running` where too many wait
 */
export function startingOf({ commands, edges, goal: goalOf, queries }: StartingDeps) {
  async function start(
    of: OfGoal,
    trigger: DiscoveryTrigger,
    asked: (goal: LiveGoal) => { readonly scope: Scope; readonly settings: Omit<DiscoverySettings, 'seed'> },
    context: Context,
  ): Promise<DiscoveryBegun> {
    const { workspace, goalId } = of;
    const goal = await goalOf(of);
    if (goal.status === 'none') throw goalNotFound();
    const { target, horizon } = goal.settings;
    const { scope, settings } = asked(goal);
    const begin = (discoveryId: string) =>
      commands.start(
        workspace,
        {
          ...{ discoveryId, goalId, trigger, kind: scope.kind, scope },
          subject: { target, ...goalSteps(goal.settings), horizon },
          settings: { ...settings, seed: seedOf(discoveryId) },
          asOf: context.at,
        },
        context,
      );
    if (context.causation !== null) {
      const discoveryId = followingId(goalId, context.causation);
      return { discoveryId, position: (await begin(discoveryId)).position };
    }
    if (RESTS.has(goal.status)) throw invalidState(goal.status, 'be looked through');
    if ((await queries.countOpen(workspace, goalId)) >= MOST_OPEN) throw discoveryRunning(MOST_OPEN);
    for (let number = await queries.count(workspace, goalId); ; number++) {
      const discoveryId = numberedId(goalId, number);
      const { facts, position } = await begin(discoveryId);
      // Who begins at the same time has taken the number
      if (facts.length > 0) return { discoveryId, position };
    }
  }

  return {
    /** Looks through all candidates of a goal. */
    search: (of: OfGoal, trigger: DiscoveryTrigger, context: Context, wanted: SearchWanted = {}) =>
      start(
        of,
        trigger,
        ({ settings: { candidates } }) => ({
          scope: {
            kind: 'search',
            signals: wanted.signals ?? candidates.signals,
            eventStreams: wanted.eventStreams ?? candidates.eventStreams,
            exclude: candidates.exclude,
          },
          settings: {
            method: 'default',
            ...{ alpha: wanted.alpha ?? USUAL_ALPHA, maxLagS: wanted.maxLagS ?? null },
          },
        }),
        context,
      ),
    /** Looks at edges of a goal again, beside its others: each by what it was validated with. */
    async recheck(of: OfGoal, edgeIds: readonly string[], trigger: DiscoveryTrigger, context: Context) {
      const alphas: number[] = [];
      for (const edgeId of edgeIds) {
        const edge = await edges.state({ workspace: of.workspace, edgeId });
        alphas.push((edge.status === 'none' ? null : edge.alpha) ?? USUAL_ALPHA);
      }
      return start(
        of,
        trigger,
        () => ({
          scope: { kind: 'recheck', edgeIds, alphas },
          settings: { method: 'default', alpha: Math.max(...alphas), maxLagS: null },
        }),
        context,
      );
    },
  };
}

type Rechecking = {
  readonly start: Pick<Starting, 'recheck'>;
  readonly known: (
    workspace: string,
    goalId: string,
  ) => Promise<readonly { readonly edgeId: string; readonly status: EdgeStatus }[]>;
};
const LOOKED_AT: readonly EdgeStatus[] = [...ACTING, 'candidate'];

/** Looks at all edges of a goal again that act, or may yet; where there are none nothing begins. */
export const recheckingAll =
  ({ start, known }: Rechecking) =>
  async (of: OfGoal, trigger: DiscoveryTrigger, context: Context): Promise<DiscoveryBegun | null> => {
    const edges = await known(of.workspace, of.goalId);
    const ids = edges.filter(({ status }) => LOOKED_AT.includes(status)).map(({ edgeId }) => edgeId);
    return ids.length === 0 ? null : start.recheck(of, ids, trigger, context);
  };
