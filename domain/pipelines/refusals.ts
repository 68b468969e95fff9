import { monthOf } from '../billing/account.js';
import { Rejected } from '../rejected.js';
import { isTimed } from '../schedules.js';
import type { LivePipeline } from './state.js';

export const pipelineNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Pipeline not found');

export const pipelinePaused = (): Rejected =>
  new Rejected('conflict', 'pipeline_paused', 'The pipeline is paused: resume it first');

export const cycleRunning = (cycleId: string): Rejected =>
  new Rejected('conflict', 'cycle_running', `Cycle ${cycleId} is not over`, { cycle_id: cycleId });

export const promotionRunning = (candidateId: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `Candidate ${candidateId} is being deployed`, {
    candidate_id: candidateId,
  });

/** `what`: `cycle`. */
export const budgetExhausted = (what: string, cap: number | null): Rejected =>
  new Rejected(
    'conflict',
    'budget_exhausted',
    `The ${what} would go past the monthly cap of ${cap} credits`,
    {
      monthly_credit_cap: cap,
    },
  );

export const nothingPending = (): Rejected =>
  new Rejected('conflict', 'no_pending_decision', 'No candidate waits for a decision');

export const candidateChanged = (pending: string): Rejected =>
  new Rejected('conflict', 'candidate_changed', `The candidate that waits for a decision is ${pending}`, {
    candidate_id: pending,
  });

export const cycleNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Cycle not found');

/** So long it is no use to come back where somebody has to do something first. */
const LATER_S = 3_600;

/**
 * Nothing serves it, what would change that, and when to come back (`retry_after_s`): soon only where
 * something is about to serve by itself. `now`: epoch ms.
 */
export function nothingServes(pipelineId: string, pipeline: LivePipeline, now: number): Rejected {
  const { why, candidate_id, retry_after_s } = inTheWay(pipelineId, pipeline, now);
  return new Rejected(
    'conflict',
    'deployment_not_ready',
    `Nothing serves the pipeline '${pipelineId}'${retry_after_s ? ' yet' : ''}: ${why}`,
    {
      pipeline_id: pipelineId,
      ...(candidate_id && { candidate_id }),
      retry_after_s: retry_after_s ?? LATER_S,
    },
  );
}

type InTheWay = { readonly why: string; readonly candidate_id?: string; readonly retry_after_s?: number };
const SOON = { retry_after_s: 30 };

function inTheWay(
  pipelineId: string,
  { candidate, cycle, cycles, paused, blocked, settings: { policy, schedule } }: LivePipeline,
  now: number,
): InTheWay {
  if (candidate) {
    const { candidateId: candidate_id, status } = candidate;
    return status === 'approved' || status === 'promoting'
      ? { why: `candidate ${candidate_id} is being deployed`, candidate_id, ...SOON }
      : { why: `candidate ${candidate_id} waits for a decision`, candidate_id };
  }
  if (policy.mode === 'off') return { why: 'its promotion is off' };
  if (!cycle && !paused && blocked === monthOf(now)) return { why: 'its budget for the month is spent' };
  const isAboutToBegin = cycles === 0 && !paused && !(schedule && isTimed(schedule));
  if (cycle || isAboutToBegin)
    return policy.mode === 'auto'
      ? { why: 'its cycle is not over', ...SOON }
      : { why: 'its cycle is not over, and what comes of it is for somebody to decide' };
  const first = paused ? 'it is paused, and once resumed takes a cycle' : 'it takes a cycle';
  return { why: `${first}: begin one by POST /v1/pipelines/${pipelineId}/run` };
}
