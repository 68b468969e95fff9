import type { Cycles, Ended } from '../commands/pipelines/cycles.js';
import type { Fact } from '../domain/fact.js';
import type { CycleStarted, PipelineDeleted } from '../domain/pipelines/facts.js';
import type { Reactor } from './engine/reactor.js';

const ofFact = (fact: { readonly data: { readonly pipelineId: string }; readonly meta: Fact['meta'] }) => ({
  workspace: fact.meta.workspace!,
  pipelineId: fact.data.pipelineId,
});

/** A cycle has its segment built and its entries trained, and hears when they are done. */
export const cycling = ({ ask, ended, drop }: Pick<Cycles, 'ask' | 'ended' | 'drop'>): Reactor => {
  const over = (fact: Fact<Ended>, context: Parameters<typeof ended>[2]) =>
    ended(fact.meta.workspace!, fact, context);
  return {
    name: 'cycles',
    concurrency: 4,
    on: {
      CycleStarted: (fact: Fact<CycleStarted>, context) => ask(ofFact(fact), fact.data, context),
      PipelineDeleted: ({ data, meta }: Fact<PipelineDeleted>, context) =>
        drop(meta.workspace!, data.trainings, context),
      TrainingCompleted: over,
      TrainingFailed: over,
      TrainingSkipped: over,
      TrainingCancelled: over,
    },
  };
};
