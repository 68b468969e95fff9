import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import type { GoalHistoryChanged, RevisionFact } from '../../domain/revisions/facts.js';
import { evolve, initialState, isOpen } from '../../domain/revisions/state.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { goalKey, revisionDocId, type GoalRevisionDoc, type RevisionDoc } from './documents.js';

type Docs = { goal_revisions: GoalRevisionDoc; revisions: RevisionDoc };
type Told = RevisionFact | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'revisionId' in data ? revisionDocId(meta.workspace!, data.revisionId) : null;
const ofGoalId = (fact: Fact<Told>): string | null =>
  fact.type === 'GoalHistoryChanged' ? `${idOf(fact)}/${fact.data.goalId}` : null;

function became({ revisions: before }: Before<Docs>, fact: Fact<RevisionFact>): After<Docs> {
  const state = evolve(before?.state ?? initialState, fact);
  if (state.status === 'none') return {};
  const workspace = fact.meta.workspace!;
  const { revisionId, number, status, closesAt } = state;
  return {
    revisions: {
      _id: revisionDocId(workspace, revisionId),
      ...{ workspace, revision_id: revisionId, number, status, open: isOpen(status) },
      ...{ closes_at: closesAt, state },
    },
  };
}

const affected = (before: Before<Docs>, fact: Fact<GoalHistoryChanged>): After<Docs> => ({
  ...became(before, fact),
  goal_revisions: before.goal_revisions ?? {
    _id: ofGoalId(fact)!,
    goal: goalKey(fact.meta.workspace!, fact.data.goalId),
    revision: idOf(fact)!,
    position: fact.position,
  },
});

const types = [
  ...(['RevisionQueued', 'RevisionCausesAdded', 'RevisionBegan', 'RevisionRebuilt'] as const),
  ...(['GoalEdgesRechecked', 'GoalRevised', 'HistoryRevised', 'RevisionFailed'] as const),
] as const satisfies readonly RevisionFact['type'][];

/** Revisions of history, and of which goals each is. */
export const revisionsProjection: Projection = projection<Docs, Told>({
  name: 'revisions',
  version: 1,
  collections: {
    goal_revisions: { indexes: [['goal', 'position', '_id']], idOf: ofGoalId },
    revisions: {
      indexes: [
        ['workspace', 'number', '_id'],
        ['workspace', 'closes_at', 'number', '_id'],
        ['open', 'closes_at', '_id'],
        ['open', 'workspace', 'number', '_id'],
      ],
      idOf,
    },
  },
  on: {
    ...Object.fromEntries(types.map(type => [type, became])),
    GoalHistoryChanged: affected,
  },
  sweeps: {
    GoalDeleted: ({ data, meta }) => ({ goal_revisions: { goal: goalKey(meta.workspace!, data.goalId) } }),
  },
});
