import type { Decider } from '../decider.js';
import { merged } from './causes.js';
import type { NoteCauses, RevisionCommand } from './commands.js';
import type { GoalRevised, GoalTold, RevisionFact } from './facts.js';
import { revisionNotFound } from './refusals.js';
import { evolve, initialState, spanOf, type KnownRevision, type RevisionState } from './state.js';

/** A revision that has so many causes takes no more of them: the next begins at once. */
export const MOST_CAUSES = 1_000;
/** The notification tells of so many goals. */
export const MOST_TOLD = 100;

function decide(command: RevisionCommand, state: RevisionState): readonly RevisionFact[] {
  const { revisionId } = command.data;
  if (command.type === 'NoteCauses') return noted(command, state);
  if (state.status === 'none') throw revisionNotFound(revisionId);
  switch (command.type) {
    case 'BeginRevision': {
      const { segments, at } = command.data;
      if (state.status !== 'queued' || takesMore(state, at)) return [];
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

/** A cause that it has already adds nothing; one that comes when it takes no more belongs to the next. */
function noted({ data }: NoteCauses, state: RevisionState): readonly RevisionFact[] {
  const { revisionId, number, goals, at, mergeMs } = data;
  const before = state.status === 'none' ? NOTHING : state;
  const causes = missingIn(state, data.causes).slice(0, MOST_CAUSES - before.causes.length);
  if (causes.length === 0) return [];
  if (state.status !== 'none' && !takesMore(state, at)) return [];
  const begun: RevisionFact =
    state.status === 'none'
      ? { type: 'RevisionQueued', data: { revisionId, number, closesAt: at + mergeMs, causes } }
      : { type: 'RevisionCausesAdded', data: { revisionId, causes } };
  const known = new Map(before.goals.map(goal => [goal.goalId, goal]));
  const changed = goals.flatMap((goal): RevisionFact[] => {
    const was = known.get(goal.goalId) ?? null;
    const is = merged(was, goal);
    if (JSON.stringify(is) === JSON.stringify(was)) return [];
    return [{ type: 'GoalHistoryChanged', data: { revisionId, ...is } }];
  });
  return [begun, ...changed];
}
const NOTHING = { causes: [], goals: [] } as const;

/** Whether a cause that comes now belongs to it. */
export const takesMore = ({ status, closesAt, causes }: KnownRevision, at: number): boolean =>
  status === 'queued' && at < closesAt && causes.length < MOST_CAUSES;

/** Those of some causes that a revision does not have. */
export function missingIn<C extends { readonly position: number; readonly key: string }>(
  state: RevisionState,
  causes: readonly C[],
): readonly C[] {
  if (state.status === 'none') return causes;
  const known = new Set(state.causes.map(nameOf));
  return causes.filter(cause => !known.has(nameOf(cause)));
}
/** What is subscribed to under two names is the cause of both. */
const nameOf = ({ position, key }: { readonly position: number; readonly key: string }): string =>
  `${position} ${key}`;

const waitsFor = ({ goals, revised }: KnownRevision, goalId: string): boolean =>
  goals.some(goal => goal.goalId === goalId) && !revised.some(goal => goal.goalId === goalId);

const told = ({
  goalId,
  rowsChanged,
  scoreBefore,
  scoreAfter,
  edgeChanges,
}: GoalRevised['data']): GoalTold => ({
  ...{ goalId, rowsChanged, scoreBefore, scoreAfter, edgeChanges },
});

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
