import { monthOf } from '../billing/account.js';
import type { LivePipeline } from './state.js';

export const PIPELINE_STATUSES = [
  'idle',
  'training',
  'awaiting_decision',
  'budget_blocked',
  'paused',
] as const;
export type PipelineStatus = (typeof PIPELINE_STATUSES)[number];

/** What a pipeline is at. `now`: epoch ms; a cap is in the way until its month is over. */
export function statusOf({ paused, cycle, candidate, blocked }: LivePipeline, now: number): PipelineStatus {
  if (paused) return 'paused';
  if (cycle) return 'training';
  if (candidate?.status === 'pending' && candidate.until > now) return 'awaiting_decision';
  return blocked === monthOf(now) ? 'budget_blocked' : 'idle';
}
