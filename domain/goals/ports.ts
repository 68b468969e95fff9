import type { ForecastWanted, InferenceSeries, SeriesForecasted } from '../inference/forecasting.js';
import type { HistoryRead } from '../inference/facts.js';
import type { GoalModel, SingleModel } from './model.js';
import type { GoalSettings } from './settings.js';

/** A goal's target on its steps, as it was known at a moment. */
export type TargetHistory = {
  readonly series: InferenceSeries;
  /** Time of the newest point, epoch ms. */
  readonly cutoff: number;
  readonly read: HistoryRead;
  /** Position of the log that read models stood at. */
  readonly upTo: number;
};

/**
 * The newest `most` steps of a goal's target. A step holds [t, t + step) and is named by its beginning; steps
 * of whole days are days of the goal's zone. Several points of a step are averaged. `asOf`: as it was known
 * then.
 * @throws Rejected 404 where the target is gone, 422 `insufficient_history`
 */
export type TargetOf = (
  workspace: string,
  settings: Pick<GoalSettings, 'target' | 'stepS' | 'timezone'>,
  asked: { readonly asOf: number | null; readonly most: number },
) => Promise<TargetHistory>;

/**
 * Forecasts series by a model, each as if it were alone: equal input gives equal bits.
 * @throws Rejected where the model is not served (409, 410, 503), or a series is too short (422)
 */
export type ForecastBy = (
  workspace: string,
  model: GoalModel,
  series: readonly InferenceSeries[],
  wanted: ForecastWanted,
  signal: AbortSignal,
) => Promise<readonly SeriesForecasted[]>;

/** What can forecast in a workspace: its deployments that are served, foundation models, local methods. */
export type Standing = (
  workspace: string,
) => Promise<readonly { readonly model: SingleModel; readonly name: string }[]>;

export const EDGE_STATUSES = [
  'candidate',
  'validated',
  'weakening',
  'rejected',
  'retired',
  'pinned',
  'blocked',
] as const;
export type EdgeStatus = (typeof EDGE_STATUSES)[number];
/** Edges that move forecasts and may begin a shock. */
export const ACTING: readonly EdgeStatus[] = ['validated', 'weakening', 'pinned'];

/** How a target answers an event: in units of its residual's deviation, times `scale` in its own. */
export type ResponseCurve = {
  /** Seconds between points. */
  readonly stepS: number;
  readonly scale: number;
  /** Offsets before 0 are before the event. */
  readonly points: readonly {
    readonly offsetS: number;
    readonly effect: number;
    readonly lower: number;
    readonly upper: number;
    readonly n: number;
  }[];
  /** Small where something happens before the event. */
  readonly preTrendP: number | null;
};

/** What makes an event of a stream stronger or weaker than its mean one; the sign of impact counts. */
export type Weighing = {
  readonly by: 'none' | 'impact' | 'importance' | 'value';
  /** Of the events that the curve was made of; an event's weight is its own over this, within [-3, 3]. */
  readonly mean: number;
};

/** An edge that acts, as forecasts and shocks use it. */
export type ActingEdge = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly kind: 'signal' | 'event_stream';
  readonly sourceKey: string;
  readonly status: EdgeStatus;
  readonly lift: number;
  /** Null for signals. */
  readonly curve: ResponseCurve | null;
  readonly halfLifeS: number | null;
  readonly weighing: Weighing;
};
/** By goal, or all of a workspace that come from a stream. */
export type ActingEdges = {
  readonly ofGoal: (workspace: string, goalId: string) => Promise<readonly ActingEdge[]>;
  readonly ofSource: (workspace: string, sourceKey: string) => Promise<readonly ActingEdge[]>;
};
