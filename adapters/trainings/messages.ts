import type { Made, TableHead } from '../../commands/trainings/work.js';
import type { Told, TrainingWork } from '../../domain/trainings/ports.js';
import type { Thrown } from '../compute/messages.js';

/** `folder`: where files of models lie. */
export type Job = {
  readonly work: TrainingWork;
  readonly head: TableHead;
  readonly warnings: readonly string[];
  readonly folder: string;
};

/** First the job, then its rows block by block, then that these are all. */
export type ToTrainer =
  | { readonly type: 'job'; readonly job: Job }
  | {
      readonly type: 'rows';
      readonly entity: string | null;
      readonly times: Float64Array;
      readonly columns: readonly Float64Array[];
    }
  | { readonly type: 'begin' };

export type FromTrainer =
  | { readonly type: 'told'; readonly told: Told }
  | { readonly type: 'done'; readonly made: Made }
  | { readonly type: 'thrown'; readonly thrown: Thrown };
