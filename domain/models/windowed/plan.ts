import type { Step } from '../../maths/series/grid.js';

/**
 * A column beside the target that a model reads: its last known value, or that of the step ahead. `missing`:
 * what stands where there is none; null: NaN.
 */
export type Input = {
  readonly name: string;
  readonly known: 'past' | 'ahead';
  readonly missing: number | null;
};

/** What the rows of a windowed model are made of; plain data. */
export type WindowPlan = {
  readonly period: number;
  /** The newest values that are read, at most. */
  readonly lookback: number;
  /** So many last values are features by themselves. */
  readonly lags: number;
  /** Null: it reads no calendar. */
  readonly calendar: {
    readonly kind: 'numbers' | 'waves';
    readonly step: Step;
    readonly timezone: string;
  } | null;
  readonly inputs: readonly Input[];
  /** Whether the step ahead is a feature: one model for all steps. */
  readonly tellsStep: boolean;
};

/** What lies further from the level, or from the reference, is taken as lying here, in sizes. */
export const FURTHEST = 25;
export const within = (x: number): number => Math.min(FURTHEST, Math.max(-FURTHEST, x));
