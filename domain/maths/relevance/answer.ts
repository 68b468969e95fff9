import type { Term } from './selection.js';

export type Candidate = {
  readonly key: string;
  readonly type: 'signal' | 'event';
  readonly values: Float64Array;
};

/**
 * Values on one grid (`align`), NaN where missing; `step` in ms, `horizon` (1 or more) and `season` in steps.
 */
export type RelevanceInput = {
  readonly target: Float64Array;
  readonly candidates: readonly Candidate[];
  readonly step: number;
  readonly horizon: number;
  readonly season: number | null;
};

/** How much a key helps to forecast the target. */
export type RelevanceRow = {
  readonly key: string;
  readonly type: 'signal' | 'event';
  /** 1 - (1 - shrunk lift)^2: about the share of the squared error that the key takes away. */
  readonly relevance: number;
  /** The share by which the mean absolute out-of-sample error falls with the key; below 0 where it rises. */
  readonly lift: number;
  /**
   * How long before the target the key tells most, in whole seconds, and by what: its level or its change.
   * null: by nothing.
   */
  readonly lag_s: number | null;
  readonly method: Term['form'] | null;
  /** Whether the error falls in most blocks. */
  readonly stable: boolean;
  /** Steps with both the target and the key. */
  readonly n: number;
};

/**
 * A key never changes; the target does not (no keys); a key shares too few steps; the season is not used (no
 * keys).
 */
export type RelevanceCode = 'constant' | 'constant_target' | 'insufficient_overlap' | 'season_too_long';
export type Relevance = {
  readonly rows: readonly RelevanceRow[];
  /** Mean absolute out-of-sample error of the baseline, in the target's unit. */
  readonly baseline_error: number | null;
  readonly warnings: readonly { readonly code: RelevanceCode; readonly keys: readonly string[] }[];
  readonly error: null | 'insufficient_data';
};
