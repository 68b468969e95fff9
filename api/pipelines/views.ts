import { creditsNumber } from '../../domain/billing/amounts.js';
import { monthOf } from '../../domain/billing/account.js';
import type { CycleEntry, CycleResult } from '../../domain/pipelines/facts.js';
import { refOf, type PipelineSettings, type PoolEntry } from '../../domain/pipelines/settings.js';
import { statusOf } from '../../domain/pipelines/status.js';
import type { Candidate, LivePipeline, Serving } from '../../domain/pipelines/state.js';
import { iso } from '../../domain/time.js';
import { nextCycle } from '../../projections/pipelines/changes.js';
import type { CandidateDoc, CycleDoc, PipelineDoc } from '../../projections/pipelines/documents.js';
import { versionedTag } from '../edge/versions.js';
import { windowsView } from '../edge/windows.js';
import type { Given } from './settings.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** Settings as they are given. */
export const givenOf = (settings: PipelineSettings): Given => {
  const { name, segmentId, entries, horizon, metric, schedule, policy, onNewData } = settings;
  return {
    ...{ name, segment: segmentId, metric, forecast_horizon: horizon },
    models: entries.map(({ ref, intensity, lookback }) => ({
      ...ref,
      ...(intensity !== null && { intensity }),
      ...(lookback !== null && { lookback }),
    })),
    training_schedule: schedule && windowsView(schedule),
    promotion_policy: {
      mode: policy.mode,
      demote_previous: policy.demotePrevious,
      min_improvement: policy.minImprovement,
    },
    retrain_triggers: {
      on_new_data: onNewData && {
        min_rows: onNewData.minRows,
        quiet_seconds: onNewData.quietSeconds,
        max_wait_seconds: onNewData.maxWaitSeconds,
        cooldown_seconds: onNewData.cooldownSeconds,
      },
    },
    budget: { monthly_credit_cap: settings.monthlyCreditCap },
    accept_non_commercial: settings.acceptNonCommercial ?? false,
  };
};

/** How an entry did in the last cycle. */
function entryStatus(entry: PoolEntry, last: CycleDoc | null): string {
  const { modelId, intensity, lookback } = entry;
  const found = last?.cycle.entries.find(
    ({ entry: each }) =>
      each.modelId === modelId && each.intensity === intensity && each.lookback === lookback,
  );
  if (!found) return 'new';
  if (found.refused) return 'unavailable';
  return last!.results.find(({ trainingId }) => trainingId === found.trainingId)?.status ?? 'training';
}

const entryView = (entry: PoolEntry, last: CycleDoc | null) => ({
  ref: refOf(entry),
  model_id: entry.modelId,
  family: entry.family,
  slug: entry.slug,
  kind: entry.kind,
  name: entry.name,
  intensity: entry.intensity,
  lookback: entry.lookback,
  status: entryStatus(entry, last),
});

const servingView = ({ promotionId, trainingId, entry, version, score, since }: Serving) => ({
  promotion_id: promotionId,
  training_id: trainingId,
  model_ref: refOf(entry),
  version,
  score,
  since: iso(since),
});

const ofProposal = (proposal: CandidateDoc['proposal']) => ({
  candidate_id: proposal.candidateId,
  cycle_id: proposal.cycleId,
  training_id: proposal.trainingId,
  model_ref: refOf(proposal.entry),
  metric: proposal.metric,
  score: proposal.score,
  serving_score: proposal.servingScore,
  improvement: proposal.improvement,
  interval: proposal.interval,
  coverage: proposal.coverage,
});

/** The candidate that is not over. `createdAt`: epoch ms. */
const candidateView = (candidate: Candidate, doc: CandidateDoc | null) => ({
  ...ofProposal(candidate),
  status: candidate.status,
  created_at: time(doc?.created_at ?? null),
  expires_at: candidate.status === 'pending' ? iso(candidate.until) : null,
  deferred_until: candidate.status === 'deferred' ? iso(candidate.until) : null,
  promotion_id: candidate.promotionId,
  error: candidate.error,
});

/** What was decided of a candidate, and what became of it. */
export const promotionView = (doc: CandidateDoc) => ({
  ...ofProposal(doc.proposal),
  status: doc.status,
  created_at: iso(doc.created_at),
  expires_at: doc.status === 'pending' ? time(doc.expires_at) : null,
  deferred_until: time(doc.deferred_until),
  decision: doc.decision,
  decided_by: doc.decided_by ?? (doc.decision === null ? null : 'policy'),
  decided_at: time(doc.decided_at),
  reason: doc.reason,
  promotion_id: doc.promotion_id,
  retired_promotion_id: doc.retired_promotion_id,
  error: doc.error,
});

const resultView = ({ entry, trainingId, price, refused }: CycleEntry, result: CycleResult | null) => ({
  model_ref: refOf(entry),
  training_id: refused ? null : trainingId,
  status: refused ? 'unavailable' : (result?.status ?? 'training'),
  score: result?.score ?? null,
  improvement: result?.comparison?.improvement ?? null,
  interval: result?.comparison?.interval ?? null,
  credits: creditsNumber(refused ? 0 : (result?.charged ?? price)),
  error: refused ?? result?.error ?? null,
});

export const cycleView = (doc: CycleDoc) => ({
  cycle_id: doc.cycle.cycleId,
  number: doc.cycle.number,
  trigger: doc.cycle.trigger,
  status: doc.status,
  segment: doc.cycle.segmentId,
  metric: doc.cycle.metric,
  against: doc.cycle.against,
  started_at: iso(doc.started_at),
  finished_at: time(doc.finished_at),
  best_training_id: doc.best,
  outcome: doc.outcome,
  candidate_id: doc.candidate_id,
  results: doc.cycle.entries.map(entry =>
    resultView(entry, doc.results.find(({ trainingId }) => trainingId === entry.trainingId) ?? null),
  ),
});

const spendView = ({ spent, settings }: LivePipeline, now: number) => {
  const month = monthOf(now);
  const credits = spent.month === month ? creditsNumber(spent.credits) : 0;
  return { month, credits, cap: settings.monthlyCreditCap };
};

export type Beside = {
  readonly last: CycleDoc | null;
  readonly candidate: CandidateDoc | null;
  readonly goalId: string | null;
};

/** A pipeline, and what is shown with it. `now`: epoch ms. */
export function pipelineView(doc: PipelineDoc, { last, candidate, goalId }: Beside, now: number) {
  const { state } = doc;
  const { settings } = state;
  const given = givenOf(settings);
  const view = {
    pipeline_id: doc.pipeline_id,
    goal_id: goalId,
    status: statusOf(state, now),
    ...given,
    models: settings.entries.map(entry => entryView(entry, last)),
    serving: state.serving && servingView(state.serving),
    candidate: state.candidate && candidateView(state.candidate, candidate),
    last_cycle: last && cycleView(last),
    next_run_at: state.paused ? null : time(nextCycle(state, doc.created_at, now)),
    spend: spendView(state, now),
    version: state.version,
    created_at: iso(doc.created_at),
    updated_at: iso(doc.updated_at),
    created_by: state.owner,
  };
  return { ...view, etag: versionedTag(state.version, view) };
}
