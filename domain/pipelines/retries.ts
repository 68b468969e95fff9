import type { EndRetry, StartRetry } from './commands.js';
import { blockedBy } from './cycles.js';
import type { PipelineFact } from './facts.js';
import { budgetExhausted } from './refusals.js';
import type { LivePipeline } from './state.js';

/** A training is tried once more. @throws Rejected 409 where it would go past the cap of the month */
export function startRetry({ data }: StartRetry, state: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, trainingId, price, at } = data;
  if (state.retries?.some(retry => retry.trainingId === trainingId)) return [];
  if (blockedBy(state, price, at)) throw budgetExhausted('training', state.settings.monthlyCreditCap);
  return [{ type: 'RetryStarted', data: { pipelineId, trainingId, price } }];
}

/** It is over, for so much; told once. */
export function endRetry({ data }: EndRetry, { retries }: LivePipeline): readonly PipelineFact[] {
  const { pipelineId, trainingId, charged } = data;
  const isOpen = retries?.some(retry => retry.trainingId === trainingId);
  return isOpen ? [{ type: 'RetryEnded', data: { pipelineId, trainingId, charged } }] : [];
}
