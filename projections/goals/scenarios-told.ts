import type {
  ScenarioCreated,
  ScenarioDeleted,
  ScenarioRunCompleted,
  ScenarioRunFailed,
} from '../../domain/scenarios/facts.js';
import type { HappeningDoc } from './documents.js';

type Told = Pick<HappeningDoc, 'kind' | 'data'>;

/** What is told of the scenarios of a goal. */
export const ofScenarios = {
  ScenarioCreated: ({ scenarioId, name }: ScenarioCreated['data']): Told => ({
    kind: 'scenario.created',
    data: { scenario_id: scenarioId, name },
  }),
  ScenarioRunCompleted: ({ scenarioId, run, result }: ScenarioRunCompleted['data']): Told => ({
    kind: 'scenario.completed',
    data: { scenario_id: scenarioId, run, total_delta: result.totalDelta },
  }),
  ScenarioRunFailed: ({ scenarioId, run, code, message }: ScenarioRunFailed['data']): Told => ({
    kind: 'scenario.failed',
    data: { scenario_id: scenarioId, run, code, message },
  }),
  ScenarioDeleted: ({ scenarioId }: ScenarioDeleted['data']): Told => ({
    kind: 'scenario.deleted',
    data: { scenario_id: scenarioId },
  }),
} as const;
