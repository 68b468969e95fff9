import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import type { KnownRevision } from '../../domain/revisions/state.js';
import type { Context } from '../engine/handle.js';
import { rebuild, segmentsOf, type RebuildingDeps } from './rebuilding.js';
import { recheck, type RecheckingDeps } from './rechecking.js';
import type { OfRevision, RevisionCommands } from './records.js';
import { revisedGoal, type RevisingDeps } from './revising.js';

export type RunningDeps = RebuildingDeps &
  RecheckingDeps &
  RevisingDeps & {
    readonly commands: Pick<
      RevisionCommands,
      'read' | 'begin' | 'rebuilt' | 'rechecked' | 'revise' | 'apply' | 'fail'
    >;
    readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
    readonly clock: () => number;
  };

/** `position`: of the last fact that was written; null: none was. */
export type Went = { readonly position: number | null; readonly waits: boolean };

/**
 * Takes a revision from where it stands as far as it goes: tables built anew, goals looked at again, told.
 * It waits while it takes causes still, and while tables are being built: then it is gone on with later. What
 * was done already stands in its facts and is not done again. `signal`: this process is to end.
 */
export async function holdRevision(
  deps: RunningDeps,
  of: OfRevision,
  context: Context,
  signal: AbortSignal,
): Promise<Went> {
  const { commands, clock } = deps;
  let position: number | null = null;
  const now = (revision?: KnownRevision): Context => ({
    ...{ ...context, at: clock() },
    ...(revision?.beganBy && { causation: revision.beganBy }),
  });
  const wrote = (outcome: { readonly position: number | null }): void => {
    position = outcome.position ?? position;
  };
  let revision = await commands.read(of);
  if (revision.status === 'queued') {
    if (clock() < revision.closesAt) return { position, waits: true };
    const goals = await goalsIn(deps, of, revision);
    wrote(await commands.begin(of, await segmentsOf(deps, of.workspace, goals), now()));
    revision = await commands.read(of);
  }
  if (revision.status === 'rebuilding') {
    const { waits, after, failed } = await rebuild(deps, of.workspace, revision, now(revision));
    if (failed) {
      wrote(await commands.fail(of, failed, now(revision)));
      return { position, waits: false };
    }
    if (waits) return { position, waits };
    wrote(await commands.rebuilt(of, after, now(revision)));
    revision = await commands.read(of);
  }
  if (revision.status === 'rechecking') {
    const goals = await goalsIn(deps, of, revision);
    const isOver = new Map<string, boolean>();
    for (const { affected } of goals)
      isOver.set(affected.goalId, await recheck(deps, { of, revision, affected }, now(revision)));
    const done = new Set(revision.revised.map(({ goalId }) => goalId));
    for (const { affected, goal } of goals) {
      if (done.has(affected.goalId) || !isOver.get(affected.goalId)) continue;
      if (signal.aborted) return { position, waits: true };
      const data = await revisedGoal(deps, { of, revision, affected, goal }, now(revision), signal);
      wrote(await commands.revise(of.workspace, data, now(revision)));
    }
    if ([...isOver.values()].includes(false)) return { position, waits: true };
    wrote(await commands.apply(of, now(revision)));
  }
  return { position, waits: false };
}

/** Its goals that are there still. */
async function goalsIn({ goal: stateOf }: RunningDeps, { workspace }: OfRevision, { goals }: KnownRevision) {
  const found = [];
  for (const affected of goals) {
    const goal = await stateOf({ workspace, goalId: affected.goalId });
    if (isThere(goal)) found.push({ affected, goal, segmentId: goal.settings.segmentId });
  }
  return found;
}
const isThere = (goal: GoalState): goal is LiveGoal => goal.status !== 'none' && goal.status !== 'archived';
