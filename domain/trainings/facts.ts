import type { Price } from '../billing/credits.js';
import type { Message } from '../fact.js';
import type { BlueprintKind, BlueprintLabels, FineTune, Intensity, Recipe } from '../models/facts.js';
import type { ModelRef } from '../models/hosted.js';
import type { Comparison } from './comparison.js';
import type { TrainingMetric } from './ports.js';
import type { Metrics } from './report.js';

export const TRIGGERS = ['created', 'schedule', 'manual', 'on_new_data', 'retry'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What is trained, or evaluated; `adapterId`: how its adapter is called from now on. */
export type QueuedWhat =
  | { readonly kind: 'custom'; readonly recipe: Recipe }
  | { readonly kind: 'foundation'; readonly fineTune: FineTune; readonly adapterId: string }
  | { readonly kind: 'byom'; readonly model: ModelRef };

/**
 * The model as it was when the training was queued. `uid`: in the catalogue; `owner`: a user's; null:
 * nobody's.
 */
export type BlueprintThen = BlueprintLabels & {
  readonly uid: string;
  readonly owner: string | null;
} & (BlueprintKind | { readonly kind: 'byom' });

type OfTraining = { readonly trainingId: string };
/** `attempt` counts from 1: what is cut short is begun again. */
type OfAttempt = OfTraining & { readonly attempt: number };

/** Who is told of its end, and for which pipeline it was. */
type Told = { readonly owner: string; readonly pipelineId: string | null };

/** A line of a training's log; epoch ms. */
export type LogLine = { readonly at: number; readonly message: string };

export type TrainingQueued = Message<
  'TrainingQueued',
  OfTraining & {
    readonly segmentId: string;
    readonly what: QueuedWhat;
    readonly blueprint: BlueprintThen;
    readonly intensity: Intensity | null;
    readonly lookback: number | null;
    /** Null: that of the segment's split. */
    readonly horizon: number | null;
    readonly seed: number;
    readonly metric: TrainingMetric;
    readonly trigger: Trigger;
    readonly pipelineId: string | null;
    readonly cycleId: string | null;
    /** The training that it tries once more. */
    readonly retryOf: string | null;
    /** The deployment that it is compared with on the same folds. */
    readonly against: string | null;
    /** The user in whose name it is trained. */
    readonly owner: string;
    /** Held while it waits and is done. */
    readonly price: Price;
  }
>;
/** A process has taken it: `worker` names the process for those who read logs. */
export type TrainingClaimed = Message<'TrainingClaimed', OfAttempt & { readonly worker: string }>;
/** Its table is there, and was read. `dataCutoff`: epoch ms. */
export type TrainingPrepared = Message<
  'TrainingPrepared',
  OfAttempt & {
    readonly segmentVersion: number;
    readonly tableHash: string | null;
    readonly dataCutoff: number;
    readonly horizon: number;
  }
>;
/** A sign of life, too: one comes at least every 20 s. `progress`: from 0 to 1 of the whole. */
export type TrainingProgressed = Message<
  'TrainingProgressed',
  OfAttempt & {
    readonly stage: 'preparing' | 'running' | 'evaluating';
    readonly progress: number;
    readonly lines: readonly LogLine[];
  }
>;

/** The file that people may download, under its sha256. */
export type Artifact = {
  readonly format: 'onnx' | 'xgboost_json';
  readonly sizeBytes: number;
  readonly sha256: string;
};
/**
 * Where what serves lies: `model` is a JSON file of the training's shelf (null: an adapter, whose graph is
 * all), `graph` a file of models; null: it has none. `sha256` and `bytes`: of the graph or, without one, of
 * the model.
 */
export type Servable = {
  readonly model: string | null;
  readonly graph: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly version: string;
};

export type TrainingCompleted = Message<
  'TrainingCompleted',
  OfAttempt &
    Told & {
      readonly metric: TrainingMetric;
      readonly score: number | null;
      readonly baselineScore: number | null;
      readonly metrics: Metrics;
      readonly warnings: readonly string[];
      readonly comparison: Comparison | null;
      /** Files of the training's shelf: the report without its points, and the points, both JSON in gzip. */
      readonly report: string;
      readonly points: string;
      readonly servable: Servable | null;
      readonly artifact: Artifact | null;
      readonly lines: readonly LogLine[];
    }
>;
export type TrainingFailed = Message<
  'TrainingFailed',
  OfTraining &
    Told & {
      readonly code: string;
      readonly message: string;
      /** Whether it makes sense to try again as it is. */
      readonly retryable: boolean;
      readonly lines: readonly LogLine[];
    }
>;
/**
 * It waits again: its process was lost, or ended amid the work (`isLoss`), or gave it back since it was to
 * end.
 */
export type TrainingRequeued = Message<
  'TrainingRequeued',
  OfAttempt & { readonly reason: string; readonly isLoss: boolean }
>;
/** It is not done at all: credits or a budget are gone. */
export type TrainingSkipped = Message<
  'TrainingSkipped',
  OfTraining & { readonly code: string; readonly message: string }
>;
/** `used`: what the part that was done costs; null: nothing. */
export type TrainingCancelled = Message<'TrainingCancelled', OfTraining & { readonly used: Price | null }>;

export type TrainingFact =
  | TrainingQueued
  | TrainingClaimed
  | TrainingPrepared
  | TrainingProgressed
  | TrainingCompleted
  | TrainingFailed
  | TrainingRequeued
  | TrainingSkipped
  | TrainingCancelled;
