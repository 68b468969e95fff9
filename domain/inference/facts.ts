import type { Message } from '../fact.js';
import type { Grade } from './grade.js';
import type { MadeBy, ModelRef } from '../models/hosted.js';
import type { ForGoal } from './moves.js';

/** What a model is asked to do with series. */
export const INFERENCE_TASKS = ['forecast', 'anomaly', 'backtest', 'impute', 'embed', 'classify'] as const;
export type InferenceTask = (typeof INFERENCE_TASKS)[number];

type OfInference = { readonly inferenceId: string };

/**
 * A JSON value of any size: as it is, or, where it is large, as text in so many facts of the same journal
 * (`InferencePartKept`) that stand before.
 */
export type Kept = { readonly value: unknown } | { readonly parts: number };

/** A part of the JSON text of a large request or answer; the parts in order are the whole. */
export type InferencePartKept = Message<
  'InferencePartKept',
  OfInference & { readonly of: 'request' | 'answer'; readonly part: number; readonly text: string }
>;

export type InferenceRequested = Message<
  'InferenceRequested',
  OfInference & {
    readonly task: InferenceTask;
    /** Null: what serves the goal has no deployment. */
    readonly promotionId: string | null;
    /** What was asked for is what serves this goal; absent: a deployment, or what serves a pipeline. */
    readonly goalId?: string;
    /** The body as it was sent; of keys the names alone: what was read of them is told with the answer. */
    readonly request: Kept;
    /** The signal, or the base, that was asked for; null: the series stand in the request. */
    readonly key: string | null;
    readonly series: number;
    /** Steps ahead; null where the task has none. */
    readonly horizon: number | null;
    /** It is worked on later, and the caller looks for the answer. */
    readonly queued: boolean;
    /** What it costs once it is answered, in thousandths of a credit; absent: nothing. */
    readonly credits?: number;
  }
>;

/** Queued work begins; once more after it was cut short. */
export type InferenceStarted = Message<'InferenceStarted', OfInference & { readonly attempt: number }>;

/** What was read of a signal: enough to read the very same from its journal. */
export type HistoryRead = {
  /** As the caller calls it. */
  readonly key: string;
  /** Where it lies, when it is another workspace's; null: here, under this key. */
  readonly of: { readonly workspace: string; readonly key: string } | null;
  /** The journal's revision that the points were read at; a fact or two behind it may be in them. */
  readonly revision: number;
  /** By what was recorded until then alone; null: by all. */
  readonly asOf: number | null;
  /** Time of the oldest point, how many there were, and the first 16 hex digits of their sha256. */
  readonly from: number;
  readonly points: number;
  readonly hash: string;
};

/** When a forecast may be graded, epoch ms; of several series the first time and the last. */
export type AwaitedTimes = {
  /** The last step begins, and it ends. */
  readonly until: number;
  readonly ends: number;
  /** The signal has gone on for as long again: what is missing by then is not waited for. */
  readonly over: number;
};
/** The actuals of a forecast: points of a signal, or of the entities of this base. */
export type Awaits = AwaitedTimes & { readonly workspace: string; readonly key: string };

export type InferenceCompleted = Message<
  'InferenceCompleted',
  OfInference & {
    readonly task: InferenceTask;
    readonly promotionId: string | null;
    /** Absent: it was asked for none. */
    readonly goal?: ForGoal;
    readonly model: ModelRef & { readonly version: string; readonly name: string };
    /** Of a model that was trained here; facts of the first versions do not say it. */
    readonly madeBy?: MadeBy;
    readonly answer: Kept;
    readonly read: readonly HistoryRead[];
    /** Position of the log that the read models stood at. */
    readonly upTo: number;
    /** sha256 (hex) of everything that the numbers of the answer follow from. */
    readonly inputsHash: string;
    readonly seed: number;
    /** Of the formulas around the model. */
    readonly codeVersion: string;
    readonly series: number;
    readonly horizon: number | null;
    /** Time of the newest value that was read. */
    readonly cutoff: number;
    readonly inputPoints: number;
    readonly outputPoints: number;
    readonly tookMs: number;
    /** The model was not asked: all was remembered. */
    readonly cached: boolean;
    /** Who asked for it, as in the metadata of the request. */
    readonly askedBy: string;
    /** What is awaited to grade it; null: nothing can. */
    readonly awaits: Awaits | null;
  }
>;

/** Work that failed after it began; refused requests leave nothing. */
export type InferenceFailed = Message<
  'InferenceFailed',
  OfInference & {
    readonly promotionId: string | null;
    readonly goalId?: string;
    readonly code: string;
    readonly message: string;
    readonly tookMs: number;
    readonly askedBy: string;
  }
>;
export type InferenceCancelled = Message<'InferenceCancelled', OfInference>;

/**
 * What came where one series of an inference was forecast: for each step its actual, null where none came.
 */
export type ForecastGraded = Message<
  'ForecastGraded',
  OfInference & {
    readonly series: number;
    readonly actuals: readonly (number | null)[];
    readonly grade: Grade;
  }
>;

export type InferenceFact =
  | InferencePartKept
  | InferenceRequested
  | InferenceStarted
  | InferenceCompleted
  | InferenceFailed
  | InferenceCancelled
  | ForecastGraded;
