import type { Recipe } from '../../models/facts.js';
import type { TrainedModel } from '../../models/trained.js';
import type { MadeFile, TrainingTable } from '../ports.js';
import type { Report } from '../report.js';

export type FitAsked = {
  readonly recipe: Recipe;
  /** Steps ahead that are forecast, and those of a gap before the ones that are judged. */
  readonly horizon: number;
  readonly gap: number;
  /** Null: what the algorithm takes. */
  readonly lookback: number | null;
  readonly period: number;
  readonly seed: number;
};

/** `graph`: the file that serving runs, where it has one; `download`: the one that people get. */
export type Fitted = {
  readonly model: TrainedModel;
  readonly graph: Uint8Array | null;
  readonly download: MadeFile | null;
  readonly importance: Report['importance'];
};

/** `told`: how far it is, from 0 to 1. */
export type Fit = (table: TrainingTable, asked: FitAsked, told: (share: number) => void) => Fitted;
