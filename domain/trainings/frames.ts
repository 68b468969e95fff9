import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import type { TrainingFact } from './facts.js';
import { isOpen, type TrainingStatus } from './state.js';

/** How the training of a fact stands, that fact included; null: it is not known. */
export type After = (fact: Fact<TrainingFact>) => Promise<{
  readonly pipeline_id: string | null;
  readonly status: TrainingStatus;
  readonly progress: number;
} | null>;

/** What is told of trainings. */
export function trainingFrames(after: After): Frames {
  const updated: Tells = {
    event: 'training.updated',
    channels: inWorkspace,
    async data(fact: Fact<TrainingFact>) {
      const found = await after(fact);
      if (!found) return null;
      const { pipeline_id, status, progress } = found;
      return { training_id: fact.data.trainingId, pipeline_id, status: asOf(fact, status), progress };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}

/** As it stood after the fact; where later ones are known already and it goes on, as it stands now. */
const asOf = (fact: Fact<TrainingFact>, now: TrainingStatus): TrainingStatus =>
  fact.type === 'TrainingQueued' && isOpen(now) ? 'queued' : now;

const told = [
  'TrainingQueued',
  'TrainingClaimed',
  'TrainingPrepared',
  'TrainingProgressed',
  'TrainingRequeued',
  'TrainingCompleted',
  'TrainingFailed',
  'TrainingSkipped',
  'TrainingCancelled',
] as const satisfies readonly TrainingFact['type'][];
