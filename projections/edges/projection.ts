import type { EdgeFact } from '../../domain/edges/facts.js';
import { evolve, initialState } from '../../domain/edges/state.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { edgeDocId, goalKey, sourceOf, type EdgeDoc } from './documents.js';

type Docs = { edges: EdgeDoc };
type Told = EdgeFact | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'edgeId' in data ? edgeDocId(meta.workspace!, data.edgeId) : null;

function became({ edges: before }: Before<Docs>, fact: Fact<EdgeFact>): After<Docs> {
  const state = evolve(before?.state ?? initialState, fact);
  if (state.status === 'none') return {};
  const workspace = fact.meta.workspace!;
  const { edgeId, goalId, sourceKey, kind, status, measured } = state;
  return {
    edges: {
      _id: edgeDocId(workspace, edgeId),
      workspace,
      edge_id: edgeId,
      ...{ goal: goalKey(workspace, goalId), goal_id: goalId },
      ...{ source: sourceOf(workspace, sourceKey), source_key: sourceKey, kind, status },
      ...{ lift: measured?.lift ?? null, half_life_s: measured?.halfLifeS ?? null },
      validated: before?.validated === true || status === 'validated' || status === 'pinned',
      state,
    },
  };
}

/** An edge after a fact of its own; `before` null: it was not there. */
export const edgeAfter = (before: EdgeDoc | null, fact: Fact<EdgeFact>): EdgeDoc | null =>
  became({ edges: before }, fact).edges ?? before;

const types = [
  ...(['EdgeFound', 'EdgeChecked', 'EdgeValidated', 'EdgeRejected', 'EdgeWeakened'] as const),
  ...(['EdgeRetired', 'EdgePinned', 'EdgeBlocked', 'EdgeUnblocked', 'EdgeOutdated'] as const),
] as const satisfies readonly EdgeFact['type'][];

/** What moves the targets of goals; edges go with their goal. */
export const edgesProjection: Projection = projection<Docs, Told>({
  name: 'edges',
  version: 2,
  carries: [1],
  collections: {
    edges: {
      indexes: [
        ['goal', '_id'],
        ['goal', 'status', '_id'],
        ['source', '_id'],
      ],
      idOf,
    },
  },
  on: Object.fromEntries(types.map(type => [type, became])),
  sweeps: { GoalDeleted: ({ data, meta }) => ({ edges: { goal: goalKey(meta.workspace!, data.goalId) } }) },
});
