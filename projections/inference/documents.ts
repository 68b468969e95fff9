import type { InferenceTask } from '../../domain/inference/facts.js';
import type { InferenceStatus } from '../../domain/inference/state.js';

/** An inference as lists show it: what was asked and answered stands in its journal. Times are epoch ms. */
export type InferenceDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly inference_id: string;
  readonly task: InferenceTask;
  readonly status: InferenceStatus;
  /** Queued or running: somebody looks for the answer later. */
  readonly open: boolean;
  readonly created_at: number;
  /** Null: what serves the goal has no deployment. */
  readonly promotion_id: string | null;
  /** The goal that was asked for; absent: none. */
  readonly goal_id?: string;
  readonly token_id: string;
  /** The key that was asked for; null: the series stood in the request. */
  readonly key: string | null;
  readonly series: number;
  readonly horizon: number | null;
  readonly took_ms: number | null;
  /** What it costs once it is answered, in thousandths of a credit; absent: nothing. */
  readonly credits?: number;
  /** The signal, or the base, whose points are awaited to grade it (`awaitedId`), and when (`Awaits`). */
  readonly awaits: string | null;
  readonly until: number | null;
  readonly ends: number | null;
  readonly over: number | null;
  /** MASE of each series that is graded, null where it has no scale; by the number of the series. */
  readonly scores: Readonly<Record<string, number | null>>;
};

/**
 * What one token did by one deployment, and for one goal, on one day (UTC). `latencies`: how many calls took
 * how long, by the number of the bucket (`latencyBucket`).
 */
export type UsageDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly day: string;
  readonly promotion_id: string | null;
  /** Absent: for none. */
  readonly goal_id?: string;
  readonly token_id: string;
  readonly calls: number;
  readonly errors: number;
  readonly series: number;
  readonly output_points: number;
  /** Thousandths of a credit; absent: none. */
  readonly credits?: number;
  readonly latencies: Readonly<Record<string, number>>;
};

/** How many inferences a workspace has. */
export type InferenceCountDoc = { readonly _id: string; readonly count: number };

/** Each bucket is 5% wider than the one before. */
const WIDER = Math.log(1.05);

/** The number of the bucket that a time (ms) falls into, and the time at its end. */
export const latencyBucket = (ms: number): number =>
  Math.max(0, Math.ceil(Math.log(Math.max(ms, 1)) / WIDER));
export const latencyOf = (bucket: number): number => Math.exp(bucket * WIDER);

export const inferenceDocId = (workspace: string, inferenceId: string): string =>
  `${workspace}/${inferenceId}`;
