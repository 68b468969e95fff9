import { hash } from 'node:crypto';
import type { LiveGoal } from '../../domain/goals/state.js';
import { Rejected } from '../../domain/rejected.js';
import { sourceOf, type Affected } from '../../domain/revisions/causes.js';
import type { GoalRevised } from '../../domain/revisions/facts.js';
import type { EdgesRevised } from '../../domain/revisions/ports.js';
import { hasMoved } from '../../domain/revisions/rescoring.js';
import { knownBefore, type KnownRevision } from '../../domain/revisions/state.js';
import { stepsIn } from '../../domain/forecasts/steps.js';
import type { Context } from '../engine/handle.js';
import { StoreUnavailable } from '../ports/event-store.js';
import type { Log } from '../ports/log.js';
import type { Started, Starting } from '../tournaments/starting.js';
import { edgeChanges } from './rechecking.js';
import type { OfRevision } from './records.js';
import { rescore, type RescoringDeps, type Scores } from './rescoring.js';

export type RevisingDeps = RescoringDeps & {
  readonly edges: EdgesRevised<Context>;
  /** @throws Rejected where none can begin now */
  readonly startTournament: (asked: Starting, context: Context) => Promise<Started>;
  readonly log: Log;
};
type Revising = {
  readonly of: OfRevision;
  readonly revision: KnownRevision;
  readonly affected: Affected;
  readonly goal: LiveGoal;
};

/** A champion that is not served just now is waited for so long, from when goals are looked at. */
const SERVED_WITHIN_MS = 60_000;

/**
 * Looks at a goal again whose history changed: what became of its edges, how its champion does, and whether
 * models compete again.
 */
export async function revisedGoal(
  deps: RevisingDeps,
  revising: Revising,
  context: Context,
  signal: AbortSignal,
): Promise<GoalRevised['data']> {
  const { of, revision, affected, goal } = revising;
  const { goalId, from, to } = affected;
  const { steps, ...scores } = await scoresOf(deps, revising, context, signal);
  return {
    ...{ revisionId: of.revisionId, goalId, from, to },
    rowsChanged: rowsOf(revision, affected, goal, steps),
    ...scores,
    edgeChanges: await edgeChanges(deps, revising),
    tournamentId: await competing(deps, revising, scores, context),
  };
}

async function scoresOf(
  deps: RevisingDeps,
  { of, revision, affected, goal }: Revising,
  { at }: Context,
  signal: AbortSignal,
): Promise<Scores> {
  const seed = Number.parseInt(hash('sha256', of.revisionId).slice(0, 8), 16);
  const asked = { ...of, goal, affected, knownBefore: knownBefore(revision), now: at, seed };
  try {
    return await rescore(deps, asked, signal);
  } catch (error) {
    signal.throwIfAborted();
    const isUnavailable = error instanceof Rejected && error.kind === 'unavailable';
    const isPatient = at - (revision.rebuiltAt ?? at) < SERVED_WITHIN_MS;
    if (error instanceof StoreUnavailable || (isUnavailable && isPatient)) throw error;
    if (!isUnavailable)
      deps.log.error({ err: error, goal: affected.goalId }, 'a champion could not be judged again');
    const why = isUnavailable ? error.code : 'internal_error';
    return { scoreBefore: null, scoreAfter: null, rescored: null, notScored: why, steps: 0 };
  }
}

/**
 * Rows of the goal's table that were made anew; where it has none, steps of its target that changed, and
 * steps in which something of its drivers did.
 */
function rowsOf(
  { before, after, causes }: KnownRevision,
  { signals, streams, from, to }: Affected,
  { settings }: LiveGoal,
  changedSteps: number,
): number {
  const { segmentId, target } = settings;
  const segment = after.find(one => one.segmentId === segmentId);
  if (segment && before.some(one => one.segmentId === segmentId)) return Math.max(segment.rows, changedSteps);
  const steps = stepsIn(settings);
  const ofDrivers = new Set<number>();
  for (const cause of causes) {
    const isSignal = sourceOf(cause) === 'signal';
    if (isSignal && cause.key === target) continue;
    if (!(isSignal ? signals : streams).includes(cause.key)) continue;
    ofDrivers.add(steps.startOf(Math.max(from, cause.from)));
    // Of many points of a driver no more is known than when they begin and end
    if (isSignal) ofDrivers.add(steps.startOf(Math.min(to, cause.to)));
  }
  return changedSteps + ofDrivers.size;
}

/** Models compete again where the champion's score moved, unless they never do by themselves. */
async function competing(
  { startTournament }: RevisingDeps,
  { of, affected: { goalId }, goal }: Revising,
  { scoreBefore, scoreAfter }: Pick<Scores, 'scoreBefore' | 'scoreAfter'>,
  context: Context,
): Promise<string | null> {
  if (goal.settings.options.autoTournament === 'off' || !hasMoved(scoreBefore, scoreAfter)) return null;
  try {
    const asked = { workspace: of.workspace, goalId, trigger: 'revision' } as const;
    return (await startTournament(asked, context)).tournamentId;
  } catch (error) {
    // One runs already, or the goal is not active
    if (error instanceof Rejected && error.kind === 'conflict') return null;
    throw error;
  }
}
