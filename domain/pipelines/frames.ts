import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import type { CandidatePromoted, CandidateProposed, DecisionRequested, PipelineFact } from './facts.js';

const updated: Tells = {
  event: 'pipeline.updated',
  channels: inWorkspace,
  async data({ data }: Fact<PipelineFact>) {
    const { pipelineId: pipeline_id } = data;
    return { pipeline_id, ...('candidateId' in data && { candidate_id: data.candidateId }) };
  },
};
const scored = ({ data }: Fact<CandidateProposed | CandidatePromoted | DecisionRequested>) => ({
  ...{ pipeline_id: data.pipelineId, candidate_id: data.candidateId },
  ...{ score: data.score, serving_score: data.servingScore },
});
/** Of one that is deployed by itself it is told once it serves. */
const newBest = (deployed: boolean): Tells => ({
  event: 'pipeline.new_best',
  channels: (fact: Fact<CandidateProposed | CandidatePromoted>) =>
    (fact.data.mode === 'auto') === deployed ? inWorkspace(fact) : [],
  data: async (fact: Fact<CandidateProposed | CandidatePromoted>) => ({ ...scored(fact), deployed }),
});
const decisionNeeded: Tells = {
  event: 'pipeline.decision_needed',
  channels: inWorkspace,
  data: async (fact: Fact<DecisionRequested>) => scored(fact),
};

const told = [
  ...(['PipelineCreated', 'PipelineChanged', 'PipelinePaused', 'PipelineResumed'] as const),
  ...(['PipelineDeleted', 'CycleStarted', 'CycleTrained', 'CycleEnded', 'CandidateApproved'] as const),
  ...(['CandidateRejected', 'CandidateDeferred', 'CandidateSuperseded', 'CandidateExpired'] as const),
  ...(['PromotionStarted', 'CandidatePromoted', 'PromotionFailed', 'ServingEnded'] as const),
  ...(['RetryStarted', 'RetryEnded', 'BudgetBlocked'] as const),
] as const satisfies readonly PipelineFact['type'][];

/** What is told of pipelines. */
export const pipelineFrames: Frames = {
  ...Object.fromEntries(told.map(type => [type, updated])),
  CandidateProposed: [updated, newBest(false)],
  CandidatePromoted: [updated, newBest(true)],
  DecisionRequested: [updated, decisionNeeded],
};
