import type { Context } from '../../commands/engine/handle.js';
import type { GoalCommands } from '../../commands/goals/records.js';
import type { Log } from '../../commands/ports/log.js';
import type { ShockCommands } from '../../commands/shocks/records.js';
import { shocks as decider } from '../../domain/shocks/decider.js';
import type { KnownCause } from '../../domain/shocks/episode.js';
import type { ActingEdges } from '../../domain/goals/ports.js';
import type { ShockDoc } from '../../projections/shocks/documents.js';
import type { ShockQueries } from '../../projections/shocks/queries.js';
import type { Running } from '../engine/follow.js';
import { rounds } from '../engine/rounds.js';

type Deps = {
  readonly queries: Pick<ShockQueries, 'open'>;
  readonly shocks: Pick<ShockCommands, 'pass' | 'stop' | 'removeCause'>;
  readonly goals: Pick<GoalCommands, 'state'>;
  readonly edges: Pick<ActingEdges, 'ofGoal'>;
  /** Whether an edge still acts, and an event is still there, by the log. */
  readonly acts: (workspace: string, edgeId: string) => Promise<boolean>;
  readonly hasEvent: (workspace: string, cause: KnownCause) => Promise<boolean>;
  /** What an archived workspace has rests. */
  readonly isArchived: (workspace: string) => boolean | Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 500;
/** Whether its goal, its edges and its events are there is looked at less often, ms. */
const LOOKED_EVERY = 2_000;

/** Lets shocks fade, and end: by time, by what came, and where nothing causes them any more. */
export function shockUpkeep(deps: Deps): Running {
  const { queries, shocks, clock, log } = deps;
  const looked = new Map<string, number>();

  const pass = async ({ workspace, goal_id: goalId, state }: ShockDoc): Promise<number | null> => {
    const context = contextOf(deps, workspace);
    const of = { workspace, goalId };
    // What read models show says whether it is worth the asking; the log decides
    const command = { type: 'NoteTime', data: { ...of, now: context.at } } as const;
    if (decider.decide(command, state).length === 0) return null;
    return (await shocks.pass(of, context)).position;
  };

  const round = async (doc: ShockDoc): Promise<void> => {
    if (await deps.isArchived(doc.workspace)) return;
    let position: number | null = null;
    if ((looked.get(doc._id) ?? -Infinity) + LOOKED_EVERY <= performance.now()) {
      position = await removeCauses(deps, doc);
      looked.set(doc._id, performance.now());
    }
    await deps.visible((await pass(doc)) ?? position);
  };

  return rounds(EVERY_MS, log, 'shocks could not be looked at; tried again', async goesOn => {
    const there = new Set<string>();
    for await (const page of queries.open())
      for (const doc of page) {
        if (!goesOn()) return;
        there.add(doc._id);
        await round(doc).catch((err: unknown) =>
          log.error({ err, goal: doc.goal_id, at: clock() }, 'a shock could not be looked at; tried again'),
        );
      }
    for (const id of looked.keys()) if (!there.has(id)) looked.delete(id);
  });
}

/** Where its goal rests it ends; causes whose edges act no more, or whose events have gone, are none. */
async function removeCauses(deps: Deps, { workspace, goal_id: goalId, state }: ShockDoc) {
  const of = { workspace, goalId };
  const goal = await deps.goals.state(of);
  if (goal.status !== 'active')
    return (await deps.shocks.stop(of, 'goal_stopped', contextOf(deps, workspace))).position;
  if (!goal.settings.options.shockEnabled)
    return (await deps.shocks.stop(of, 'disabled', contextOf(deps, workspace))).position;
  const acting = new Set((await deps.edges.ofGoal(workspace, goalId)).map(({ edgeId }) => edgeId));
  let position: number | null = null;
  for (const cause of state.episode?.causes ?? []) {
    const { eventId, edgeId, removed } = cause;
    if (removed !== null) continue;
    const acts = acting.has(edgeId) || (await deps.acts(workspace, edgeId));
    const gone = await goneOf(deps, workspace, acts, cause);
    if (gone === null) continue;
    const said = { eventId, gone };
    position = (await deps.shocks.removeCause(of, said, contextOf(deps, workspace))).position ?? position;
  }
  return position;
}

async function goneOf(
  { hasEvent }: Deps,
  workspace: string,
  acts: boolean,
  cause: KnownCause,
): Promise<'edge' | 'event' | null> {
  if (!acts) return 'edge';
  return (await hasEvent(workspace, cause)) ? null : 'event';
}

const contextOf = ({ newId, clock }: Deps, workspace: string): Context => ({
  ...{ workspace, actor: 'scheduler:shocks', request: null, correlation: newId(), causation: null },
  at: clock(),
});
