import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import type { Intensity } from '../models/facts.js';
import type { HostedModel } from '../models/hosted.js';
import type { TrainingTable } from './ports.js';

/** What a foundation model is fitted to, and how deep. The first column of the table is the target. */
export type FineTuneAsked = {
  readonly table: TrainingTable;
  readonly backbone: HostedModel;
  /** What the backbone says as it is: needed where it is an imported one, which cannot be trained. */
  readonly forecast?: ForecastMany;
  readonly intensity: Intensity;
  /** Steps ahead that it is fitted for. */
  readonly horizon: number;
  /** The newest values that it reads of a series. The backbone that it must beat reads all that it can. */
  readonly lookback: number;
  readonly seed: number;
  /** Goes on from a state that `keep` was given of the same table, backbone, depth and seed. */
  readonly from?: Uint8Array | null;
};

export type FineTuneWatch = {
  /** From 0 to 1, and where there is something to say a line for the log. */
  readonly progress?: (share: number, message: string | null) => void;
  /** Given the state after each part of the work, to go on from; some kB. */
  readonly keep?: (state: Uint8Array) => void;
  readonly signal?: AbortSignal;
};

/** Over all forecasts of a fold; null where it cannot be told. */
export type TunedScores = {
  readonly wql: number | null;
  /** The mean over series. */
  readonly mase: number | null;
  /** The share of actuals inside the 80% band. */
  readonly coverage: number | null;
};

/** How good it is in a fold of the table, from the end of the fold's training on. */
export type TunedFold = {
  /** That the forecasts were made with, which has seen nothing from that time on. */
  readonly adapter: Uint8Array;
  /** Series that could be forecast. */
  readonly forecasts: number;
  readonly backbone: TunedScores;
  readonly adapted: TunedScores;
};

/**
 * `gain`: better on folds it has not seen, by more than chance. `no_gain`: it is not, so that the backbone as
 * it is serves better. `too_short`: too little history to find out.
 */
export type TunedWhy = 'gain' | 'no_gain' | 'too_short';

/** What came of a fine-tuning. Equal tables, backbones, depths and seeds give an adapter of equal bytes. */
export type FineTuned = {
  readonly kept: boolean;
  readonly why: TunedWhy;
  /** The same in words, with its numbers. */
  readonly message: string;
  /**
   * The loss on held-out windows relative to that of the backbone, and how many standard errors below it that
   * is; null where there were none.
   */
  readonly ratio: number | null;
  readonly certainty: number | null;
  /** The file that is served: small, and of no use without its backbone. Null where nothing is kept. */
  readonly adapter: Uint8Array | null;
  readonly sha256: string | null;
  /** Those of the table; null: too short. */
  readonly folds: readonly TunedFold[] | null;
  /** Steps of the optimiser that the adapter took. */
  readonly steps: number;
  readonly seconds: number;
};

/** @throws Rejected for a table or a backbone that cannot be fitted, Cancelled when `signal` aborts */
export type FineTuning = (asked: FineTuneAsked, watch?: FineTuneWatch) => Promise<FineTuned>;
