import type { Fact } from '../fact.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { ScenarioFact } from './facts.js';
import { progressOf, type ScenarioStatus } from './state.js';

type Told = Exclude<ScenarioFact['type'], 'ScenarioCreated'>;
const becomes: Readonly<Record<Told, ScenarioStatus | 'deleted'>> = {
  ScenarioRunRequested: 'queued',
  ScenarioRunStarted: 'running',
  ScenarioRunCompleted: 'completed',
  ScenarioRunFailed: 'failed',
  ScenarioDeleted: 'deleted',
};

const updated: Tells = {
  event: 'scenario.updated',
  channels: ({ data }: Fact<ScenarioFact>) => [`goal:${data.goalId}`],
  data({ type, data }: Fact<ScenarioFact>) {
    const status = becomes[type as Told];
    const { scenarioId: scenario_id, goalId: goal_id } = data;
    return { scenario_id, goal_id, status, progress: status === 'deleted' ? 1 : progressOf({ status }) };
  },
};

/** What is told of scenarios, to those who listen to the goal. */
export const scenarioFrames: Frames = Object.fromEntries(Object.keys(becomes).map(type => [type, updated]));
