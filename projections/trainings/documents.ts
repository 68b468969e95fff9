import type { Price } from '../../domain/billing/credits.js';
import type { Intensity, Visibility } from '../../domain/models/facts.js';
import type { ModelRef } from '../../domain/models/hosted.js';
import type { ForecasterTask } from '../../domain/maths/forecasting/forecaster.js';
import type { Comparison } from '../../domain/trainings/comparison.js';
import type { Artifact, BlueprintThen, QueuedWhat, Servable, Trigger } from '../../domain/trainings/facts.js';
import type { TrainingMetric } from '../../domain/trainings/ports.js';
import type { Metrics } from '../../domain/trainings/report.js';
import type { TrainingStatus } from '../../domain/trainings/state.js';

/** A training as it stands. Times are epoch ms. */
export type TrainingDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly training_id: string;
  readonly status: TrainingStatus;
  /** It waits for a process. */
  readonly waiting: boolean;
  /** A process is at it. */
  readonly working: boolean;
  readonly attempt: number;
  /** The last sign of life of that process. */
  readonly sign_at: number;
  readonly pipeline_id: string | null;
  readonly cycle_id: string | null;
  readonly segment_id: string;
  readonly segment_version: number | null;
  readonly table_hash: string | null;
  readonly data_cutoff: number | null;
  readonly what: QueuedWhat;
  /** The id in the catalogue of what is trained. */
  readonly model: string;
  readonly blueprint: BlueprintThen;
  readonly intensity: Intensity | null;
  readonly lookback: number | null;
  readonly horizon: number | null;
  readonly seed: number;
  readonly metric: TrainingMetric;
  readonly trigger: Trigger;
  readonly retry_of: string | null;
  readonly against: string | null;
  readonly owner: string;
  readonly price: Price;
  readonly queued_at: number;
  readonly started_at: number | null;
  readonly finished_at: number | null;
  readonly progress: number;
  /** Thousandths of a credit. */
  readonly charged: number;
  readonly score: number | null;
  readonly baseline_score: number | null;
  readonly metrics: Metrics | null;
  readonly warnings: readonly string[];
  readonly comparison: Comparison | null;
  /** Files of the training's shelf. */
  readonly report: string | null;
  readonly points: string | null;
  readonly servable: Servable | null;
  /** SHA-256 of the file that serves; null where there is none. */
  readonly graph: string | null;
  readonly artifact: Artifact | null;
  readonly error: { readonly code: string; readonly message: string; readonly retryable: boolean } | null;
};

/** What becomes, or became, of the fine-tuning of a foundation model. */
export type AdapterDoc = {
  readonly _id: string;
  readonly adapter_id: string;
  readonly workspace: string;
  readonly training_id: string;
  readonly owner: string;
  readonly family: string;
  readonly backbone: ModelRef & { readonly version: string };
  readonly slug: string;
  readonly task: ForecasterTask;
  readonly visibility: Visibility;
  readonly name: string;
  readonly description: string;
  readonly status: 'training' | 'ready' | 'failed' | 'archived';
  readonly intensity: Intensity;
  readonly lookback: number;
  readonly horizon: number;
  readonly segment_id: string;
  readonly metrics: Readonly<Record<string, number>>;
  readonly servable: Servable | null;
  readonly created_at: number;
};

export const trainingDocId = (workspace: string, trainingId: string): string => `${workspace}/${trainingId}`;
