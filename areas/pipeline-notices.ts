import { creditsText } from '../domain/billing/amounts.js';
import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import type {
  BudgetBlocked,
  CandidatePromoted,
  CandidateProposed,
  DecisionRequested,
} from '../domain/pipelines/facts.js';

type OfPipeline = CandidateProposed | CandidatePromoted | DecisionRequested | BudgetBlocked;
/** `of`: what repeats of it are merged by; each candidate that is found or promoted is news of its own. */
const ofPipeline = (
  kind: string,
  { data, meta }: Fact<OfPipeline>,
  told: Notice['data'],
  of = data.pipelineId,
): Notice => ({
  kind,
  // Who may do something about it
  to: { workspace: meta.workspace!, leastRole: 'operator' },
  goalId: null,
  data: { pipeline_id: data.pipelineId, ...told },
  groupKey: `${kind}/${of}`,
});
const newBest = (fact: Fact<CandidateProposed | CandidatePromoted>, deployed: boolean): Notice => {
  const { candidateId, trainingId, score, servingScore, metric, mode } = fact.data;
  const told = {
    ...{ candidate_id: candidateId, training_id: trainingId, score, serving_score: servingScore },
    ...{ metric, mode, deployed },
  };
  return ofPipeline('pipeline.new_best', fact, told, candidateId);
};

export const pipelineNotices: Notices = {
  /** Of one that is deployed by itself it is told once it serves. */
  CandidateProposed: (fact: Fact<CandidateProposed>): Notice | null =>
    fact.data.mode === 'auto' ? null : newBest(fact, false),
  DecisionRequested: (fact: Fact<DecisionRequested>): Notice => {
    const { candidateId, score, servingScore } = fact.data;
    const told = { candidate_id: candidateId, score, serving_score: servingScore };
    return ofPipeline('pipeline.decision_needed', fact, told);
  },
  CandidatePromoted: (fact: Fact<CandidatePromoted>): Notice => {
    if (fact.data.mode === 'auto') return newBest(fact, true);
    const { candidateId, promotionId, retired } = fact.data;
    const told = { candidate_id: candidateId, promotion_id: promotionId, retired_promotion_id: retired };
    return ofPipeline('pipeline.promoted', fact, told, candidateId);
  },
  BudgetBlocked: (fact: Fact<BudgetBlocked>): Notice => {
    const { month, needed, spent, cap } = fact.data;
    return ofPipeline('pipeline.budget_blocked', fact, {
      ...{ month, needed: creditsText(needed), spent: creditsText(spent), cap: creditsText(cap) },
    });
  },
};
