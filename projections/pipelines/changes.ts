import type { Fact } from '../../domain/fact.js';
import type { PipelineFact } from '../../domain/pipelines/facts.js';
import { evolve, type LivePipeline } from '../../domain/pipelines/state.js';
import { isTimed, nextRun } from '../../domain/schedules.js';
import { pipelineDocId, type CandidateDoc, type CycleDoc, type PipelineDoc } from './documents.js';

/** The pipeline after a fact; null: it is not there, or has gone. */
export function pipelineAfter(doc: PipelineDoc | null, fact: Fact<PipelineFact>): PipelineDoc | null {
  const state = evolve(doc?.state ?? { status: 'none' }, fact);
  if (state.status === 'none') return null;
  const { workspace, actor } = fact.meta;
  const { pipelineId } = fact.data;
  const isEdit = fact.type === 'PipelineCreated' || fact.type === 'PipelineChanged';
  return {
    _id: pipelineDocId(workspace!, pipelineId),
    workspace: workspace!,
    pipeline_id: pipelineId,
    segment_id: state.settings.segmentId,
    state,
    last_cycle: fact.type === 'CycleStarted' ? fact.data.cycleId : (doc?.last_cycle ?? null),
    ...dueIn(state, doc?.created_at ?? fact.at, fact.at),
    created_at: doc?.created_at ?? fact.at,
    created_by: doc?.created_by ?? actor,
    updated_at: isEdit ? fact.at : doc!.updated_at,
  };
}

function dueIn(state: LivePipeline, createdAt: number, at: number) {
  const { paused, cycle, settings, candidate, retries } = state;
  const rests = paused || cycle !== null;
  const waits = candidate?.status === 'pending' || candidate?.status === 'deferred';
  return {
    due_at: rests ? null : nextCycle(state, createdAt, at),
    keep_at: waits ? candidate.until : null,
    watching: !rests && settings.onNewData !== null,
    retrying_since: retries?.[0]?.at ?? null,
  };
}

/**
 * When the next cycle begins by itself, at `from` or later: in a window of the schedule; without one, once
 * when the pipeline was made. Null: none does.
 */
export function nextCycle(
  { settings: { schedule }, lastCycleAt, cycles }: LivePipeline,
  createdAt: number,
  from: number,
): number | null {
  if (schedule && isTimed(schedule)) return nextRun(schedule, lastCycleAt, from);
  return cycles === 0 ? createdAt : null;
}

/** A cycle after a fact of it. */
export function cycleAfter(
  doc: CycleDoc | null,
  fact: Fact<PipelineFact>,
  ids: { readonly _id: string; readonly pipeline: string },
): CycleDoc | null {
  if (fact.type === 'CycleStarted')
    return {
      ...ids,
      ...{ cycle: fact.data, results: [], status: 'running', best: null, outcome: null },
      ...{ candidate_id: null, started_at: fact.at, finished_at: null },
    };
  if (!doc) return null;
  switch (fact.type) {
    case 'CycleTrained': {
      const { pipelineId: _, cycleId: __, ...result } = fact.data;
      return { ...doc, results: [...doc.results, result] };
    }
    case 'CycleEnded': {
      const { status, best, outcome } = fact.data;
      return { ...doc, status, best, outcome, finished_at: fact.at };
    }
    case 'CandidateProposed':
      return { ...doc, candidate_id: fact.data.candidateId };
    default:
      return doc;
  }
}

/** A candidate after a fact of it. */
export function candidateAfter(
  doc: CandidateDoc | null,
  fact: Fact<PipelineFact>,
  ids: { readonly _id: string; readonly pipeline: string },
): CandidateDoc | null {
  if (fact.type === 'CandidateProposed') {
    const { pipelineId: _, mode: __, against: ___, ...proposal } = fact.data;
    return {
      ...{ ...ids, proposal, status: 'pending', created_at: fact.at },
      ...{ expires_at: null, deferred_until: null, decision: null, decided_by: null, decided_at: null },
      ...{ reason: null, promotion_id: null, retired_promotion_id: null, error: null },
    };
  }
  const by = doc && candidateBy(fact);
  return by ? { ...doc, ...by } : doc;
}

function candidateBy(fact: Fact<PipelineFact>): Partial<CandidateDoc> | null {
  switch (fact.type) {
    case 'DecisionRequested':
      return { status: 'pending', expires_at: fact.data.expiresAt, deferred_until: null };
    case 'CandidateApproved':
      return { status: 'approved', decision: 'approve', error: null, ...decidedBy(fact) };
    case 'CandidateRejected':
      return { status: 'rejected', decision: 'reject', ...decidedBy(fact) };
    case 'CandidateDeferred':
      return {
        ...{ status: 'deferred', decision: 'defer', deferred_until: fact.data.until },
        ...decidedBy(fact),
      };
    case 'CandidateSuperseded':
      return { status: 'superseded' };
    case 'CandidateExpired':
      return { status: 'expired' };
    case 'PromotionStarted':
      return { status: 'promoting', promotion_id: fact.data.promotionId };
    case 'CandidatePromoted':
      return { status: 'promoted', retired_promotion_id: fact.data.retired };
    case 'PromotionFailed': {
      const { code, message } = fact.data;
      return { error: { code, message } };
    }
    default:
      return null;
  }
}

type Decided = Fact<
  Extract<PipelineFact, { type: 'CandidateApproved' | 'CandidateRejected' | 'CandidateDeferred' }>
>;
const decidedBy = ({ data: { by, reason }, at }: Decided) => ({
  decided_by: by,
  decided_at: at,
  reason,
});
