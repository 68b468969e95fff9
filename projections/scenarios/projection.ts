import type { Fact } from '../../domain/fact.js';
import type { GoalDeleted } from '../../domain/goals/facts.js';
import type { ScenarioFact } from '../../domain/scenarios/facts.js';
import { evolve, initialState, isOpen, isThere } from '../../domain/scenarios/state.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { goalKey, scenarioDocId, type ScenarioDoc } from './documents.js';

type Docs = { scenarios: ScenarioDoc };
type Told = ScenarioFact | GoalDeleted;

const idOf = ({ data, meta }: Fact<Told>): string | null =>
  'scenarioId' in data ? scenarioDocId(meta.workspace!, data.scenarioId) : null;

function became({ scenarios: before }: Before<Docs>, fact: Fact<ScenarioFact>): After<Docs> {
  const state = evolve(before?.state ?? initialState, fact);
  if (!isThere(state)) return before ? { scenarios: null } : {};
  const workspace = fact.meta.workspace!;
  const { scenarioId, goalId } = state.created;
  return {
    scenarios: {
      _id: scenarioDocId(workspace, scenarioId),
      ...{ workspace, scenario_id: scenarioId, goal: goalKey(workspace, goalId), goal_id: goalId },
      ...{ status: state.status, open: isOpen(state.status) && state.run.run > 0 },
      ...{ position: before?.position ?? fact.position, requested_at: state.requestedAt, state },
    },
  };
}

const types = [
  ...(['ScenarioCreated', 'ScenarioRunRequested', 'ScenarioRunStarted'] as const),
  ...(['ScenarioRunCompleted', 'ScenarioRunFailed', 'ScenarioDeleted'] as const),
] as const satisfies readonly ScenarioFact['type'][];

/** Scenarios of goals; they go with their goal. */
export const scenariosProjection: Projection = projection<Docs, Told>({
  name: 'scenarios',
  version: 1,
  collections: {
    scenarios: {
      indexes: [
        ['goal', 'position', '_id'],
        ['goal', 'status', 'position', '_id'],
        ['open', 'workspace', 'requested_at', '_id'],
      ],
      idOf,
    },
  },
  on: Object.fromEntries(types.map(type => [type, became])),
  sweeps: {
    // One that is not over is seen to first
    GoalDeleted: ({ data, meta }) => ({
      scenarios: { goal: goalKey(meta.workspace!, data.goalId), open: false },
    }),
  },
});
