import type { ModelRef } from '../models/hosted.js';

/** Methods that come with the platform and are fitted anew at each forecast. */
export const LOCAL_METHODS = [
  'seasonal_naive',
  'naive',
  'drift',
  'theta',
  'ets',
  'arima',
  'mstl_ets',
] as const;
export type LocalMethod = (typeof LOCAL_METHODS)[number];

/** A foundation model without a deployment of the workspace, or what one of its deployments serves. */
export type ServedModel = {
  readonly kind: 'served';
  /** Null: a foundation model, asked as it is (zero-shot). */
  readonly promotionId: string | null;
  readonly model: ModelRef & { readonly version: string };
};
/** A method that is fitted to the goal's own history. */
export type LocalModel = { readonly kind: 'local'; readonly method: LocalMethod };
/** What forecasts by itself. */
export type SingleModel = ServedModel | LocalModel;
/** The mean of the quantiles of several, by weights that add up to 1. */
export type Ensemble = {
  readonly kind: 'ensemble';
  readonly members: readonly { readonly model: SingleModel; readonly weight: number }[];
};
/** What can forecast a goal: a contestant of a tournament, its champion. */
export type GoalModel = SingleModel | Ensemble;

/** What a goal is forecast by, and since when (epoch ms). `score`: in the goal's metric; null: not judged. */
export type Champion = {
  readonly model: GoalModel;
  /** As people read it: `presage nano`, `ets`, `mean of 3`. */
  readonly name: string;
  readonly score: number | null;
  readonly since: number;
  readonly tournamentId: string | null;
};

/** What was asked at last for a forecast, in the order of falling back. */
export const SERVED_BY = ['champion', 'runner_up', 'generalist', 'seasonal_naive'] as const;
export type ServedBy = (typeof SERVED_BY)[number];

/** Who asks always stands in; not a goal's own choice. */
export const SEASONAL_NAIVE: LocalModel = { kind: 'local', method: 'seasonal_naive' };
