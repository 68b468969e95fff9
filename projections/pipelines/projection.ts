import type { Fact } from '../../domain/fact.js';
import type { PipelineFact } from '../../domain/pipelines/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { candidateAfter, cycleAfter, pipelineAfter } from './changes.js';
import {
  cycleDocId,
  pipelineDocId,
  type CandidateDoc,
  type CycleDoc,
  type PipelineDoc,
} from './documents.js';

type Docs = { pipeline_candidates: CandidateDoc; pipeline_cycles: CycleDoc; pipelines: PipelineDoc };

const idOf = ({ data, meta }: Fact<PipelineFact>): string => pipelineDocId(meta.workspace!, data.pipelineId);
const cycleIdIn = (fact: Fact<PipelineFact>): string | null =>
  'cycleId' in fact.data ? cycleDocId(idOf(fact), fact.data.cycleId) : null;
const candidateIdIn = (fact: Fact<PipelineFact>): string | null =>
  'candidateId' in fact.data ? cycleDocId(idOf(fact), fact.data.candidateId) : null;

function became(before: Before<Docs>, fact: Fact<PipelineFact>): After<Docs> {
  const pipeline = idOf(fact);
  const [cycle, candidate] = [cycleIdIn(fact), candidateIdIn(fact)];
  return {
    pipelines: pipelineAfter(before.pipelines, fact),
    ...(cycle !== null && {
      pipeline_cycles: cycleAfter(before.pipeline_cycles, fact, { _id: cycle, pipeline }),
    }),
    ...(candidate !== null && {
      pipeline_candidates: candidateAfter(before.pipeline_candidates, fact, { _id: candidate, pipeline }),
    }),
  };
}

const types = [
  ...(['PipelineCreated', 'PipelineChanged', 'PipelinePaused', 'PipelineResumed'] as const),
  ...(['CycleStarted', 'CycleTrained', 'CycleEnded', 'CandidateProposed', 'DecisionRequested'] as const),
  ...(['CandidateApproved', 'CandidateRejected', 'CandidateDeferred', 'CandidateSuperseded'] as const),
  ...(['CandidateExpired', 'PromotionStarted', 'CandidatePromoted', 'PromotionFailed'] as const),
  ...(['ServingEnded', 'RetryStarted', 'RetryEnded', 'BudgetBlocked', 'NewDataSeen'] as const),
] as const satisfies readonly PipelineFact['type'][];

/** Pipelines, their cycles, and what was decided of their candidates. */
export const pipelinesProjection: Projection = projection<Docs, PipelineFact>({
  name: 'pipelines',
  version: 3,
  carries: [1, 2],
  collections: {
    pipeline_candidates: { indexes: [['pipeline', 'created_at', '_id']], idOf: candidateIdIn },
    pipeline_cycles: { indexes: [['pipeline', 'started_at', '_id']], idOf: cycleIdIn },
    pipelines: {
      indexes: [
        ['workspace', 'created_at', '_id'],
        ['workspace', 'segment_id', '_id'],
        ['due_at', '_id'],
        ['keep_at', '_id'],
        ['watching', '_id'],
        ['retrying_since', '_id'],
      ],
      idOf,
    },
  },
  on: {
    ...Object.fromEntries(types.map(type => [type, became])),
    PipelineDeleted: () => ({ pipelines: null }),
  },
  sweeps: {
    PipelineDeleted: fact => ({
      pipeline_candidates: { pipeline: idOf(fact) },
      pipeline_cycles: { pipeline: idOf(fact) },
    }),
  },
});
