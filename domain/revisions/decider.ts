import type { Decider } from '../decider.js';
import { addedTo, mergedGoals, type Affected, type Cause, type Found } from './causes.js';
import type { NoteCauses, RevisionCommand } from './commands.js';
import type { EdgeChange, GoalRevised, GoalTold, RevisionFact } from './facts.js';
import { revisionNotFound } from './refusals.js';
import { evolve, initialState, spanOf, type KnownRevision, type RevisionState } from './state.js';

/** A revision that has so many causes takes no more of them: the next begins at once. */
export const MOST_CAUSES = 5_000;
/** The notification tells of so many goals, and of so many edges of each. */
export const MOST_TOLD = 100;
export const MOST_EDGES_TOLD = 10;

function decide(command: RevisionCommand, state: RevisionState): readonly RevisionFact[] {
  const { revisionId } = command.data;
  if (command.type === 'NoteCauses') return noted(command, state);
  if (state.status === 'none') throw revisionNotFound(revisionId);
  switch (command.type) {
    case 'BeginRevision': {
      const { segments, at } = command.data;
      if (state.status !== 'queued' || at < state.closesAt) return [];
      return [{ type: 'RevisionBegan', data: { revisionId, segments } }];
    }
    case 'NoteRebuilt': {
      const { segments } = command.data;
      return state.status === 'rebuilding'
        ? [{ type: 'RevisionRebuilt', data: { revisionId, segments } }]
        : [];
    }
    case 'NoteRechecked': {
      const { workspace: _, ...data } = command.data;
      const isNoted = state.rechecked.some(({ goalId }) => goalId === data.goalId);
      return state.status === 'rechecking' && waitsFor(state, data.goalId) && !isNoted
        ? [{ type: 'GoalEdgesRechecked', data }]
        : [];
    }
    case 'ReviseGoal': {
      const { workspace: _, ...data } = command.data;
      return state.status === 'rechecking' && waitsFor(state, data.goalId)
        ? [{ type: 'GoalRevised', data }]
        : [];
    }
    case 'ApplyRevision':
      return state.status === 'rechecking' ? [applied(state)] : [];
    case 'FailRevision': {
      const { code, message } = command.data;
      return state.status === 'rebuilding' || state.status === 'rechecking'
        ? [{ type: 'RevisionFailed', data: { revisionId, code, message } }]
        : [];
    }
  }
}

/**
 * A cause that it has already adds nothing but goals that it was not told of yet; one that was recorded later
 * than it takes them, or that comes when it has begun, belongs to another.
 */
function noted({ data }: NoteCauses, state: RevisionState): readonly RevisionFact[] {
  const { revisionId, number, mergeMs } = data;
  if (data.found.length === 0) return [];
  const isNew = state.status === 'none';
  if (!isNew && state.status !== 'queued') return [];
  const before = isNew ? NOTHING : state;
  const first = Math.min(...data.found.map(({ cause }) => cause.recordedAt));
  const closesAt = isNew ? first + mergeMs : state.closesAt;
  const isIn = ({ recordedAt }: Cause): boolean => recordedAt < closesAt || (isNew && recordedAt === first);
  const known = new Set(before.causes.map(nameOf));
  const missing = missingIn(state, data.found).sort((a, b) => a.cause.position - b.cause.position);
  const fresh = missing
    .filter(({ cause }) => !known.has(nameOf(cause)) && isIn(cause))
    .slice(0, MOST_CAUSES - before.causes.length);
  const taken = [...missing.filter(({ cause }) => known.has(nameOf(cause))), ...fresh];
  if (taken.length === 0) return [];
  const causes = fresh.map(({ cause }) => cause);
  const were = goalsById(before.goals);
  const changed = mergedGoals(taken.flatMap(one => one.goals)).flatMap((goal): RevisionFact[] => {
    const added = addedTo(were.get(goal.goalId) ?? null, goal);
    return added ? [{ type: 'GoalHistoryChanged', data: { revisionId, ...added } }] : [];
  });
  if (isNew) return [{ type: 'RevisionQueued', data: { revisionId, number, closesAt, causes } }, ...changed];
  if (causes.length === 0) return changed;
  return [{ type: 'RevisionCausesAdded', data: { revisionId, causes } }, ...changed];
}
const NOTHING = { causes: [], goals: [] } as const;

/** Those of some causes that a revision does not have, or not for all of their goals yet. */
export function missingIn(state: RevisionState, found: readonly Found[]): Found[] {
  if (state.status === 'none') return [...found];
  const known = new Set(state.causes.map(nameOf));
  const goals = goalsById(state.goals);
  const isHeld = ({ cause, goals: of }: Found): boolean =>
    known.has(nameOf(cause)) && of.every(goal => !addedTo(goals.get(goal.goalId) ?? null, goal));
  return found.filter(one => !isHeld(one));
}
const goalsById = (goals: readonly Affected[]) => new Map(goals.map(goal => [goal.goalId, goal]));
/** What is subscribed to under two names is the cause of both. */
const nameOf = ({ position, key }: Cause): string => `${position} ${key}`;

const waitsFor = ({ goals, revised }: KnownRevision, goalId: string): boolean =>
  goals.some(goal => goal.goalId === goalId) && !revised.some(goal => goal.goalId === goalId);

const told = ({ revisionId: _, ...goal }: GoalRevised['data']): GoalTold => ({
  ...goal,
  edgeChanges: toldOf(goal.edgeChanges),
});

/** Those that are other now, first those that have another status. */
function toldOf(changes: readonly EdgeChange[]): readonly EdgeChange[] {
  const isElse = (one: EdgeChange): boolean => one.statusBefore !== one.statusAfter;
  const moved = changes.filter(one => !isElse(one) && one.liftBefore !== one.liftAfter);
  return [...changes.filter(isElse), ...moved].slice(0, MOST_EDGES_TOLD);
}

function applied(state: KnownRevision): RevisionFact {
  const { revisionId, causes, revised } = state;
  return {
    type: 'HistoryRevised',
    data: {
      ...{ revisionId, cause: causes[0]!, causes: causes.length, ...spanOf(state) },
      goals: revised.slice(0, MOST_TOLD).map(told),
      affected: revised.length,
    },
  };
}

/** Of the journal, within its category. */
export const revisionJournalId = (workspace: string, revisionId: string): string =>
  `${workspace}.${revisionId}`;

/** History that changed: causes of a minute together, what hangs on them made anew, once. */
export const revisions: Decider<RevisionCommand, RevisionFact, RevisionState> = {
  category: 'revision',
  idOf: ({ data }) => revisionJournalId(data.workspace, data.revisionId),
  initialState,
  decide,
  evolve,
};
