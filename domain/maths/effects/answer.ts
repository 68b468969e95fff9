import type { RelationshipType } from '../causality/answer.js';

/**
 * `refused`: it moves nothing, or it may not be believed; `reasons` say why. `untested`: there was too little
 * to test.
 */
export type Verdict = 'validated' | 'candidate' | 'refused' | 'untested';

export type ReasonCode =
  | 'too_few_occurrences'
  | 'too_few_points'
  | 'no_effect'
  | 'not_significant'
  | 'no_lift'
  | 'placebo'
  | 'unstable'
  | 'pre_trend'
  | 'confounded'
  | 'other_series';

/** Why a candidate is not validated: a short code and a plain sentence with the figures. */
export type Reason = { readonly code: ReasonCode; readonly text: string };

export type Direction = 'positive' | 'negative' | 'mixed';

export type CurvePoint = {
  /** Seconds from the start of the event's step to that of this one; below 0: before the event. */
  readonly offsetS: number;
  /**
   * Of an event of weight 1, in residual deviations (`scale`): from the event on the fitted response, which
   * is smooth and what forecasts apply; before it the mean.
   */
  readonly effect: number;
  /** 90% band about it, as wide as a bootstrap over events makes that of the mean. */
  readonly lower: number;
  readonly upper: number;
  /** Mean over events, beside matched quiet times. */
  readonly mean: number;
  /** Events that have a value there. */
  readonly n: number;
};

export type ResponseCurve = {
  readonly stepS: number;
  /** A residual deviation in the unit of the target: effect times scale is in that unit. */
  readonly scale: number;
  readonly points: readonly CurvePoint[];
  /** p of "there is no effect before the event"; small: it was there before. */
  readonly preTrendP: number;
};

/** What makes an event of a stream act more or less than the usual one. */
export type Weighing = {
  /** `none`: all events act alike. */
  readonly by: 'none' | 'importance' | 'impact' | 'value';
  /**
   * An event weighs its own figure over this, within -3 to 3 (one without a figure 1): the mean size of the
   * figure over the stream's events, with the sign of its mean; 1 where `by` is `none`.
   */
  readonly mean: number;
};

/** The fitted response to an event of weight 1, offsets from the start of the event's step. */
export type Response = {
  /** At the peak, in units of the target, signed. */
  readonly amplitude: number;
  /** When it begins, when it peaks, and how long after its peak it has fallen to half. */
  readonly delayS: number;
  readonly peakS: number;
  readonly halfLifeS: number;
  /** Decay after the peak: 2^-(t/h), or 2^-(t/h)^2 of a transient bump. */
  readonly form: 'exponential' | 'bell';
  readonly weighing: Weighing;
};

export type Interval = readonly [low: number, high: number];

/** What was found of one candidate. Figures that could not be had are null. */
export type Finding = {
  readonly kind: 'event_stream' | 'signal';
  readonly sourceKey: string;
  readonly verdict: Verdict;
  /** What stands against validation, the weightiest first; empty for a validated one. */
  readonly reasons: readonly Reason[];
  readonly direction: Direction | null;
  /** Share of the out-of-sample pinball loss over the goal's horizon that knowing the source removes. */
  readonly lift: number | null;
  /** 90%, by bootstrap over events, or of a signal over blocks of time. */
  readonly liftInterval: Interval | null;
  readonly pValue: number | null;
  readonly qValue: number | null;
  /** Share of shifted times that did as well. */
  readonly placeboP: number | null;
  /** Of a stream: events within the target's time; of a signal: null. */
  readonly nOccurrences: number | null;
  /** Of a stream the offset of the peak, of a signal how long it leads. */
  readonly optimalLagS: number | null;
  readonly halfLifeS: number | null;
  /** 90%. */
  readonly halfLifeInterval: Interval | null;
  readonly responseCurve: ResponseCurve | null;
  readonly response: Response | null;
  /** Share of windows, by occurrence, with the effect. */
  readonly stability: number | null;
  /** Share of the residual variance that the source explains where it acts, 0 to 1. */
  readonly strength: number | null;
  readonly relationshipType: RelationshipType | null;
  /** Whether most events were recorded before they occurred. */
  readonly knownInAdvance: boolean;
  /** Keys whose effects were taken out of this one's. */
  readonly confounders: readonly string[];
  /**
   * Keys without which, and with which no longer, there is an effect; or `season`; or of a signal `own_past`:
   * it follows the target, or moves with it.
   */
  readonly confoundedBy: readonly string[];
};

/** What was used: enough to make the answer again. */
export type EffectsUsed = {
  readonly reference: 'seasonal_level';
  /** Gain of the level, and periods of the season in steps. */
  readonly levelGain: number;
  readonly periods: readonly number[];
  readonly scale: number;
  readonly steps: number;
  readonly horizon: number;
  readonly alpha: number;
  readonly maxLag: number;
  readonly placebos: number;
  readonly bootstraps: number;
  readonly folds: number;
  readonly seed: number;
};

/** Structured-clone-able. `findings` are in the order of the candidates. */
export type EffectsAnswer = {
  readonly settings: EffectsUsed;
  readonly findings: readonly Finding[];
  readonly multipleTesting: {
    readonly method: 'benjamini_hochberg';
    readonly alpha: number;
    readonly tests: number;
  };
  readonly warnings: readonly {
    readonly code: 'insufficient_history' | 'steps_cut';
    readonly text: string;
  }[];
};
