import type { SeriesForecasted } from '../inference/forecasting.js';
import type { Step } from '../maths/series/grid.js';
import type { FineTune, Recipe } from '../models/facts.js';
import type { HostedModel } from '../models/hosted.js';
import type { TrainedModel } from '../models/trained.js';
import type { ColumnRole } from '../segments/ports.js';
import type { Fold } from '../segments/splits.js';
import type { Comparison } from './comparison.js';
import type { Report } from './report.js';

/**
 * A series of a segment's table: beginnings of its steps (epoch ms) and one array for each column of the
 * table, NaN where missing. Only steps of the past, oldest first.
 */
export type TrainingSeries = {
  readonly entity: string | null;
  readonly times: Float64Array;
  readonly columns: readonly Float64Array[];
};

/** What a training reads: the first column is the target; folds are cut in time, alike for all series. */
export type TrainingTable = {
  readonly step: Step;
  readonly timezone: string;
  readonly columns: readonly { readonly name: string; readonly role: ColumnRole }[];
  readonly series: readonly TrainingSeries[];
  readonly folds: readonly Fold[];
};

/** What is trained; a model that was uploaded is evaluated only. */
export type TrainingWhat =
  | { readonly kind: 'custom'; readonly recipe: Recipe }
  | { readonly kind: 'foundation'; readonly fineTune: FineTune; readonly backbone: HostedModel }
  | { readonly kind: 'byom'; readonly model: HostedModel };

/** `METRICS` of a report; less is better in all of them. */
export const TRAINING_METRICS = ['mase', 'rmsse', 'smape', 'mae', 'crps'] as const;
export type TrainingMetric = (typeof TRAINING_METRICS)[number];

export type TrainingWork = {
  readonly what: TrainingWhat;
  readonly horizon: number;
  /** Null: what the recipe or the model says. */
  readonly lookback: number | null;
  readonly seed: number;
  readonly metric: TrainingMetric;
  /**
   * What serves now, judged on the same folds without a fit. Where it has seen some of them that is in its
   * favour: a candidate must be better all the same.
   */
  readonly against: HostedModel | null;
};

/** How far it is: `progress` from 0 to 1 of the whole training; `message` is a line for its log. */
export type Told = {
  readonly stage: 'running' | 'evaluating';
  readonly progress: number;
  readonly message: string | null;
};

/** A file that a training made, in memory: 200 MB at most. */
export type MadeFile = {
  readonly format: 'onnx' | 'xgboost_json';
  readonly bytes: Uint8Array;
};

/** What came of a training. */
export type Outcome = {
  readonly report: Report;
  /** What is served and may be downloaded; null where nothing is made (an uploaded model; no gain). */
  readonly made: {
    readonly model: TrainedModel | null;
    /** The file that serving opens; null: `model` alone is enough. */
    readonly graph: Uint8Array | null;
    /** The file that people download. */
    readonly download: MadeFile | null;
  } | null;
  /** Null: nothing served, or it could not be judged on these folds (why is among the warnings). */
  readonly comparison: Comparison | null;
};

/** Trains and evaluates. What it throws that is a `Rejected` is the user's to mend and ends the training. */
export type Train = (
  table: TrainingTable,
  work: TrainingWork,
  tell: (told: Told) => void,
) => Promise<Outcome>;

/** A forecast of a fold, and what came: all that a report is computed from. */
export type FoldForecast = {
  readonly fold: number;
  readonly entity: string | null;
  readonly forecast: Pick<SeriesForecasted, 'times' | 'mean' | 'quantiles'>;
  readonly actual: Float64Array;
  /** The target before the fold, whose seasonal error scales MASE. */
  readonly history: Float64Array;
};
