import type { Decider } from '../decider.js';
import type { Fact } from '../fact.js';
import { trainings, type TrainingCommand } from './decider.js';
import type { LogLine, TrainingFact } from './facts.js';

function linesOf(fact: Fact<TrainingFact>): readonly LogLine[] {
  const { at } = fact;
  switch (fact.type) {
    case 'TrainingQueued':
      return [{ at, message: `Queued: ${fact.data.blueprint.name}` }];
    case 'TrainingClaimed':
      return [{ at, message: `Begun by ${fact.data.worker}, attempt ${fact.data.attempt}` }];
    case 'TrainingPrepared': {
      const { segmentVersion, tableHash, horizon } = fact.data;
      const hash = tableHash?.slice(0, 12) ?? 'none';
      return [
        { at, message: `Version ${segmentVersion} of the segment, table ${hash}, ${horizon} steps ahead` },
      ];
    }
    case 'TrainingProgressed':
      return fact.data.lines;
    case 'TrainingCompleted': {
      const { score, warnings } = fact.data;
      const warned = warnings.map(warning => ({ at, message: `Warning: ${warning}` }));
      return [...fact.data.lines, ...warned, { at, message: `Completed with a score of ${score ?? 'none'}` }];
    }
    case 'TrainingFailed':
      return [...fact.data.lines, { at, message: `Failed: ${fact.data.message}` }];
    case 'TrainingRequeued':
      return [{ at, message: `Waits again: ${fact.data.reason}` }];
    case 'TrainingSkipped':
      return [{ at, message: `Skipped: ${fact.data.message}` }];
    case 'TrainingCancelled':
      return [{ at, message: 'Cancelled' }];
  }
}

/** The journal of a training read as its log; null: there is none. Only to be looked at. */
export const trainingLog: Decider<TrainingCommand, TrainingFact, readonly LogLine[] | null> = {
  category: trainings.category,
  idOf: trainings.idOf,
  initialState: null,
  decide: () => [],
  evolve: (lines, fact) => [...(lines ?? []), ...linesOf(fact)],
};
