import { Rejected } from '../rejected.js';

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
