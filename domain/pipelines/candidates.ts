import { DAY } from '../time.js';
import { mindVersion } from '../versions.js';
import type {
  ConfirmPromotion,
  DecidePromotion,
  EndServing,
  FailPromotion,
  KeepCandidate,
  NoteTrained,
  StartPromotion,
} from './commands.js';
import type { CycleResult, DecisionRequested, PipelineFact } from './facts.js';
import { candidateChanged, nothingPending } from './refusals.js';
import type { Candidate, LivePipeline, OpenCycle } from './state.js';

/** So long somebody may take to decide. */
const DECIDED_WITHIN = 14 * DAY;

type Asked = Pick<Candidate, 'candidateId' | 'score' | 'servingScore'>;
const asked = (
  pipelineId: string,
  { candidateId, score, servingScore }: Asked,
  at: number,
): DecisionRequested => ({
  type: 'DecisionRequested',
  data: { pipelineId, candidateId, expiresAt: at + DECIDED_WITHIN, score, servingScore },
});

/** The best training of a cycle is to serve: at once, or once somebody has approved it. */
export function proposed(
  { pipelineId, cycleId, candidateId, at }: NoteTrained['data'],
  cycle: OpenCycle,
  { trainingId, score, comparison, coverage }: CycleResult,
  { settings, candidate: before }: LivePipeline,
): readonly PipelineFact[] {
  const { policy } = settings;
  const { entry } = cycle.entries.find(each => each.trainingId === trainingId)!;
  const proposal = {
    ...{ candidateId, cycleId, trainingId, entry, metric: cycle.metric, score: score!, coverage },
    servingScore: comparison?.against ?? null,
    improvement: comparison?.improvement ?? null,
    interval: comparison?.interval ?? null,
  };
  const { mode, demotePrevious } = policy;
  const facts: PipelineFact[] = [];
  if (before)
    facts.push({
      type: 'CandidateSuperseded',
      data: { pipelineId, candidateId: before.candidateId, inFavourOf: candidateId },
    });
  facts.push({ type: 'CandidateProposed', data: { pipelineId, ...proposal, mode, against: cycle.against } });
  const approval = { pipelineId, candidateId, by: null, demotePrevious, reason: null };
  facts.push(
    mode === 'auto'
      ? { type: 'CandidateApproved', data: approval }
      : asked(pipelineId, { candidateId, score: score!, servingScore: proposal.servingScore }, at),
  );
  return facts;
}

/** @throws Rejected 409 where another version, or another candidate, or none is there */
export function decided({ data }: DecidePromotion, state: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, decision, candidateId: meant, seen, by, reason, until, demotePrevious, at } = data;
  const { candidate, settings, version } = state;
  mindVersion('The pipeline', seen, version);
  if (!candidate || !isUndecided(candidate) || hasExpired(candidate, at)) throw nothingPending();
  const { candidateId } = candidate;
  if (meant !== null && meant !== candidateId) throw candidateChanged(candidateId);
  switch (decision) {
    case 'approve': {
      const demotes = demotePrevious ?? settings.policy.demotePrevious;
      const accepts = data.acceptNonCommercial ? ({ acceptNonCommercial: true } as const) : {};
      const approved = { pipelineId, candidateId, by, demotePrevious: demotes, ...accepts, reason };
      return [{ type: 'CandidateApproved', data: approved }];
    }
    case 'reject':
      return [{ type: 'CandidateRejected', data: { pipelineId, candidateId, by, reason } }];
    case 'defer':
      return [{ type: 'CandidateDeferred', data: { pipelineId, candidateId, by, until: until!, reason } }];
  }
}

const isUndecided = ({ status }: Candidate): boolean => status === 'pending' || status === 'deferred';
const hasExpired = ({ status, until }: Candidate, at: number): boolean => status === 'pending' && until <= at;

/** A deferred candidate returns, and one that nobody decided on expires. */
export function kept({ data: { pipelineId, at } }: KeepCandidate, state: LivePipeline): PipelineFact[] {
  const { candidate } = state;
  if (!candidate || !isUndecided(candidate) || candidate.until > at) return [];
  const { candidateId, status } = candidate;
  return status === 'deferred'
    ? [asked(pipelineId, candidate, at)]
    : [{ type: 'CandidateExpired', data: { pipelineId, candidateId } }];
}

type OfPromotion = StartPromotion | ConfirmPromotion | FailPromotion | EndServing;

/** How the deployment of an approved candidate goes. */
export function promotion(command: OfPromotion, state: LivePipeline): readonly PipelineFact[] {
  switch (command.type) {
    case 'StartPromotion':
      return begun(command, state);
    case 'ConfirmPromotion':
      return confirmed(command, state);
    case 'FailPromotion':
      return failed(command, state);
    case 'EndServing': {
      const { pipelineId, promotionId } = command.data;
      const isOurs = state.serving?.promotionId === promotionId;
      return isOurs ? [{ type: 'ServingEnded', data: { pipelineId, promotionId } }] : [];
    }
  }
}

function begun({ data }: StartPromotion, { candidate, serving }: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, candidateId, promotionId } = data;
  if (candidate?.candidateId !== candidateId || candidate.status !== 'approved') return [];
  const demotes = candidate.demotePrevious ? (serving?.promotionId ?? null) : null;
  return [{ type: 'PromotionStarted', data: { pipelineId, candidateId, promotionId, demotes } }];
}

function confirmed({ data }: ConfirmPromotion, { candidate, promotions }: LivePipeline): PipelineFact[] {
  const { pipelineId, promotionId } = data;
  if (candidate?.status !== 'promoting' || candidate.promotionId !== promotionId) return [];
  const { candidateId, trainingId, entry, metric, score, servingScore, mode, demotes } = candidate;
  return [
    {
      type: 'CandidatePromoted',
      data: {
        ...{ pipelineId, candidateId, promotionId, trainingId, entry, metric, score, servingScore, mode },
        ...{ version: promotions + 1, retired: demotes },
      },
    },
  ];
}

function failed({ data }: FailPromotion, { candidate }: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, candidateId, promotionId, code, message, at } = data;
  const isOnItsWay = candidate?.status === 'approved' || candidate?.status === 'promoting';
  if (!isOnItsWay || candidate.candidateId !== candidateId) return [];
  // What becomes of a deployment before says nothing of one that was approved again
  if (promotionId !== (candidate.status === 'promoting' ? candidate.promotionId : null)) return [];
  return [
    { type: 'PromotionFailed', data: { pipelineId, candidateId, promotionId, code, message } },
    asked(pipelineId, candidate, at),
  ];
}
