import { countsOf } from '../../domain/discovery/decider.js';
import type { DiscoveryFact } from '../../domain/discovery/facts.js';
import { evolve, initialState, isOpen } from '../../domain/discovery/state.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { discoveryDocId, goalKey, type DiscoveryDoc, type ResultsDoc } from './documents.js';

type Docs = { discovery_results: ResultsDoc; discoveries: DiscoveryDoc };
type Told = DiscoveryFact | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'discoveryId' in data ? discoveryDocId(meta.workspace!, data.discoveryId) : null;

function became({ discoveries: before }: Before<Docs>, fact: Fact<DiscoveryFact>): After<Docs> {
  const state = evolve(before?.state ?? initialState, fact);
  if (state.status === 'none') return {};
  const workspace = fact.meta.workspace!;
  const { discoveryId, goalId } = state.started;
  const _id = discoveryDocId(workspace, discoveryId);
  const goal = goalKey(workspace, goalId);
  const results = fact.type === 'DiscoveryTested' ? fact.data.results : null;
  return {
    ...(results && { discovery_results: { _id, goal, results } }),
    discoveries: {
      ...{ _id, workspace, discovery_id: discoveryId, goal, goal_id: goalId },
      ...{ status: state.status, open: isOpen(state.status), queued_at: state.queuedAt },
      state: {
        ...state,
        tested: state.tested && { ...state.tested, results: [] },
        counts: results ? countsOf(results) : state.counts,
      },
    },
  };
}

const types = [
  ...(['DiscoveryStarted', 'DiscoveryBegan', 'DiscoveryGathered', 'DiscoveryTested'] as const),
  ...(['DiscoveryCompleted', 'DiscoveryFailed', 'DiscoveryCancelled'] as const),
] as const satisfies readonly DiscoveryFact['type'][];

/** Discoveries of goals; those that are over go with their goal. */
export const discoveriesProjection: Projection = projection<Docs, Told>({
  name: 'discoveries',
  version: 1,
  collections: {
    discovery_results: { indexes: [['goal', '_id']], idOf },
    discoveries: {
      indexes: [
        ['goal', 'queued_at', '_id'],
        ['goal', 'status', 'queued_at', '_id'],
        ['goal', 'open', 'queued_at', '_id'],
        ['open', 'workspace', 'queued_at', '_id'],
      ],
      idOf,
    },
  },
  on: Object.fromEntries(types.map(type => [type, became])),
  sweeps: {
    // One that is not over is called off first
    GoalDeleted: ({ data, meta }) => ({
      discovery_results: { goal: goalKey(meta.workspace!, data.goalId) },
      discoveries: { goal: goalKey(meta.workspace!, data.goalId), open: false },
    }),
  },
});
