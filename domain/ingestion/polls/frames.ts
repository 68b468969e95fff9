import type { Fact } from '../../fact.js';
import { inWorkspace, type Frames, type Tells } from '../../realtime/frame.js';
import type { ExecutionFact } from './execution-facts.js';
import type { ExecutionStatus } from './state.js';

/** How a run stood after a fact; null: it is not shown. */
export type After = (fact: Fact<ExecutionFact>) => Promise<{
  readonly sourceId: string;
  readonly status: ExecutionStatus;
  readonly accepted: number;
} | null>;

/** What is told of runs. */
export function executionFrames(after: After): Frames {
  const updated: Tells = {
    event: 'ingestion.execution_updated',
    channels: inWorkspace,
    async data(fact: Fact<ExecutionFact>) {
      const run = await after(fact);
      if (!run) return null;
      const { sourceId, status, accepted } = run;
      return { execution_id: fact.data.executionId, source_id: sourceId, status, accepted };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}

const told = [
  'ExecutionQueued',
  'ExecutionStarted',
  'ExecutionPageRead',
  'ExecutionAttemptFailed',
  'ExecutionEnded',
] as const satisfies readonly ExecutionFact['type'][];
