import type { ForecastWanted, InferenceSeries, SeriesForecasted, Warning } from '../inference/forecasting.js';
import type { HistoryRead } from '../inference/facts.js';
import type { Direction, Response, ResponseCurve, Weighing } from '../maths/effects/answer.js';
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
 * then. `now`: when that is (epoch ms), where it is not the time of the call.
 * @throws Rejected 404 where the target is gone, 422 `insufficient_history`
 */
export type TargetOf = (
  workspace: string,
  settings: Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone'>,
  asked: { readonly asOf: number | null; readonly most: number; readonly now?: number },
) => Promise<TargetHistory>;

/**
 * Forecasts series by a model, each as if it were alone: equal input gives equal bits. `leftMs`: how much
 * time whoever asks has left, which methods that are fitted may take; absent: as long as any analysis may.
 * @throws Rejected where the model is not served (409, 410, 503), or a series is too short (422)
 */
export type ForecastBy = (
  workspace: string,
  model: GoalModel,
  series: readonly InferenceSeries[],
  wanted: ForecastWanted,
  signal: AbortSignal,
  leftMs?: () => number,
) => Promise<readonly SeriesForecasted[]>;

/** What can forecast in a workspace: its deployments that are served, foundation models, local methods. */
export type Standing = (
  workspace: string,
) => Promise<readonly { readonly model: SingleModel; readonly name: string }[]>;

type Named = { readonly model: GoalModel; readonly name: string };
/**
 * A model as it forecasts now: a deployment that was retired in favour of another is that other one, also
 * among what a blend is made of. `warnings` say which; there is none where nothing was retired so.
 */
export type Replaced = (
  workspace: string,
  one: Named,
) => Promise<Named & { readonly warnings: readonly Warning[] }>;

export type { Response, ResponseCurve, Weighing };

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

/** An edge that acts, as forecasts and shocks use it. */
export type ActingEdge = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly kind: 'signal' | 'event_stream';
  readonly sourceKey: string;
  readonly status: EdgeStatus;
  /** 0 of a pinned one that was never measured. */
  readonly lift: number;
  readonly direction: Direction | null;
  /**
   * Null for signals, and for a pinned one without a measured effect. `effect` times `scale` is in units of
   * the target; `preTrendP` is small where something happens before the event.
   */
  readonly curve: ResponseCurve | null;
  /** What the curve was drawn from: an event of weight 1 in parameters. Null where there is none. */
  readonly response: Response | null;
  readonly halfLifeS: number | null;
  /** Of a stream the offset of the peak, of a signal how long it leads. */
  readonly optimalLagS: number | null;
  /** Most events of its stream are recorded before they happen. */
  readonly knownInAdvance: boolean;
  readonly weighing: Weighing;
};
/** By goal, or all of a workspace that come from a source: those that act. */
export type ActingEdges = {
  readonly ofGoal: (workspace: string, goalId: string) => Promise<readonly ActingEdge[]>;
  readonly ofSource: (workspace: string, sourceKey: string) => Promise<readonly ActingEdge[]>;
};

/** An edge of whatever status, for those who look again at what hangs on a source. */
export type EdgeStanding = {
  readonly edgeId: string;
  readonly goalId: string;
  readonly kind: 'signal' | 'event_stream';
  readonly sourceKey: string;
  readonly status: EdgeStatus;
  /** Null: it was never measured. */
  readonly lift: number | null;
};
export type EdgesOfSource = (workspace: string, sourceKey: string) => Promise<readonly EdgeStanding[]>;
