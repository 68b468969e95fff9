import type { Warning } from './forecasting.js';

/** An event that moved a forecast beforehand (open-parts 12, `applied_events`). */
export type AppliedEvent = {
  readonly eventId: string;
  readonly stream: string;
  /** Epoch ms. */
  readonly occurredAt: number;
  readonly edgeId: string;
  /** From the forecast's first step to the event, seconds. */
  readonly offsetS: number;
  /** Of the curve, against the mean event of the stream. */
  readonly weight: number;
  /** The largest effect, signed, in units of the target. */
  readonly effectPeak: number;
};

/** In which state of shock a forecast was made, and of what it was blended; weights add up to 1. */
export type ShockBlend = {
  readonly episodeId: string;
  readonly state: 'shock' | 'recovering';
  /** Epoch ms. */
  readonly since: number;
  readonly weights: { readonly champion: number; readonly generalist: number; readonly response: number };
  /** R(t) of open-parts 14.2. */
  readonly remaining: number;
  /** 1 + k R when it was made. */
  readonly bandFactor: number;
  /** Half-widths of the band of each step were multiplied by it; absent: all of them by `bandFactor`. */
  readonly bandFactors?: readonly number[];
  /** What was blended: medians of each, one for each step. */
  readonly components: {
    readonly champion: readonly number[];
    readonly generalist: readonly number[];
    readonly response: readonly number[];
  };
};

/** What moved the forecast of a goal's target, and by what its bands were widened. */
export type Moves = {
  readonly appliedEvents: readonly AppliedEvent[];
  /** Events that would have been applied, had that not been switched off. */
  readonly skippedEvents: number;
  /** Events that happened, whose effects are not in what the model read, but go on by their curves. */
  readonly carriedEvents?: number;
  readonly shock: ShockBlend | null;
  /** Of the scorers by whose scores events moved it; absent: none did, or it is not known. */
  readonly scorerVersion?: string;
  /** By which factor the bands of each step were widened, by the goal's own record. */
  readonly widened: readonly number[];
  /** That record: the share inside the 80% band of late (null: none was graded), and how many were. */
  readonly record: { readonly coverage: number | null; readonly n: number };
  /** What was known of all that moves forecasts, as goals keep it: by it the same is made again. */
  readonly known: readonly unknown[];
};

/** The goal whose model was asked for. */
export type ForGoal = {
  readonly goalId: string;
  /** Who answered, in the goal's order of falling back. */
  readonly servedBy: string;
  /** Why nobody before in that order did. */
  readonly warnings: readonly Warning[];
  /** What else of the goal the answer follows from, as goals keep it: by it the same is made again. */
  readonly follows: unknown;
};
