import type { Block } from '../../domain/segments/ports.js';
import { Rejected } from '../../domain/rejected.js';
import type { CompleteTraining } from '../../domain/trainings/decider.js';
import type { Comparison } from '../../domain/trainings/comparison.js';
import type { Told, TrainingTable, TrainingWork } from '../../domain/trainings/ports.js';
import type { Metrics } from '../../domain/trainings/report.js';

/** What a training's table is, without its rows. */
export type TableHead = Omit<TrainingTable, 'series'>;

/** What came of a training, as files to be kept. JSON is in gzip. */
export type Made = {
  readonly score: number | null;
  readonly baselineScore: number | null;
  readonly metrics: Metrics;
  readonly warnings: readonly string[];
  readonly comparison: Comparison | null;
  readonly report: Uint8Array;
  readonly points: Uint8Array;
  readonly model: Uint8Array | null;
  readonly graph: Uint8Array | null;
  /** Of the graph or, without one, of the model's JSON; null: nothing serves. */
  readonly served: {
    readonly sha256: string;
    readonly bytes: number;
    readonly version: string;
  } | null;
  readonly download: {
    readonly format: 'onnx' | 'xgboost_json';
    readonly bytes: Uint8Array;
    readonly sha256: string;
  } | null;
};

export type TrainingRun = {
  readonly work: TrainingWork;
  readonly head: TableHead;
  /** Rows of the past, blocks of an entity after each other. */
  readonly rows: AsyncIterable<Block>;
  /** Added to those of the report. */
  readonly warnings: readonly string[];
  readonly tell: (told: Told) => void;
  readonly signal: AbortSignal;
};

export type Kept = Omit<CompleteTraining['data'], 'workspace' | 'trainingId' | 'attempt' | 'lines'>;
/** Keeps what a training made, before it is said to be complete. */
export type KeepMade = (trainingId: string, made: Made) => Promise<Kept>;

/**
 * Trains in a process of its own.
 * @throws Rejected for what is wrong with the table or the model, or where it takes too much memory or time;
 *   Cancelled when the signal aborts; WorkerLost where the process ended amid the work
 */
export type TrainApart = (run: TrainingRun) => Promise<Made>;

/** The process that trained is gone; the training may be begun again. `cause`: what it said, for our log. */
export class WorkerLost extends Error {}

export const tookTooMuchMemory = (mb: number): Rejected =>
  new Rejected('unprocessable', 'too_much_memory', `The training took more than ${mb} MB of memory`, {
    limit_mb: mb,
  });
export const tookTooMuchTime = (seconds: number): Rejected =>
  new Rejected('unprocessable', 'took_too_long', `The training was not done within ${seconds} s`, {
    limit_s: seconds,
  });
