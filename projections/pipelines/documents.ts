import type { CycleOutcome, CycleResult, CycleStarted, Fault } from '../../domain/pipelines/facts.js';
import type { Proposal } from '../../domain/pipelines/facts.js';
import type { LivePipeline } from '../../domain/pipelines/state.js';

// All times are epoch ms.

/** A pipeline as it stands. */
export type PipelineDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly pipeline_id: string;
  readonly segment_id: string;
  readonly state: LivePipeline;
  readonly last_cycle: string | null;
  /** When a cycle may be due at the earliest; null: none by itself. */
  readonly due_at: number | null;
  /** When its candidate expires, or returns; null: there is none that waits. */
  readonly keep_at: number | null;
  /** New points may begin a cycle. */
  readonly watching: boolean;
  /** When the oldest of its retries began that are not over; null: there is none. */
  readonly retrying_since: number | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly updated_at: number;
};

/** A cycle, and what came of its entries so far. */
export type CycleDoc = {
  readonly _id: string;
  readonly pipeline: string;
  readonly cycle: CycleStarted['data'];
  readonly results: readonly CycleResult[];
  readonly status: 'running' | 'completed' | 'failed';
  readonly best: string | null;
  readonly outcome: CycleOutcome | null;
  readonly candidate_id: string | null;
  readonly started_at: number;
  readonly finished_at: number | null;
};

export const CANDIDATE_STATUSES = [
  ...(['pending', 'deferred', 'approved', 'promoting'] as const),
  ...(['promoted', 'rejected', 'superseded', 'expired'] as const),
] as const;
export type CandidateStatus = (typeof CANDIDATE_STATUSES)[number];

/** A candidate, and what was decided of it last. */
export type CandidateDoc = {
  readonly _id: string;
  readonly pipeline: string;
  readonly proposal: Proposal;
  readonly status: CandidateStatus;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly deferred_until: number | null;
  readonly decision: 'approve' | 'reject' | 'defer' | null;
  /** A user; null with a decision: the pipeline's policy. */
  readonly decided_by: string | null;
  readonly decided_at: number | null;
  readonly reason: string | null;
  readonly promotion_id: string | null;
  readonly retired_promotion_id: string | null;
  readonly error: Fault | null;
};

export const pipelineDocId = (workspace: string, pipelineId: string): string => `${workspace}/${pipelineId}`;
export const cycleDocId = (pipeline: string, cycleId: string): string => `${pipeline}/${cycleId}`;
