import type { Curve, Shape } from './shapes.js';

/** What worlds are there to show; `docs/goals-truth.md` says of each what it holds. */
export const KINDS = [
  'noise',
  'plain',
  'scaled',
  'crowded',
  'confounded',
  'anticipated',
  'announced',
  'leading',
  'dying',
  'rough',
  'counts',
] as const;
/** Further ones, which are only shown where they are named. */
export const FURTHER_KINDS = ['lagging', 'strong'] as const;
export type Kind = (typeof KINDS)[number] | (typeof FURTHER_KINDS)[number];

/**
 * What a source has to do with the target.
 *
 * Streams: `cause`; `announced`: a cause that is recorded in advance; `dying`: a cause that ends;
 * `unrelated`; `companion`: without effect, comes mostly with a cause; `peak`: without effect, comes when the
 * season is at its highest; `anticipated`: the effect begins before the event, which nobody knew of.
 *
 * Signals: `leads`; `follows`: the target's past with noise; `shares`: the target's season and noise of its
 * own; `unrelated`.
 */
export type StreamRole = 'cause' | 'announced' | 'dying' | 'unrelated' | 'companion' | 'peak' | 'anticipated';
export type SignalRole = 'leads' | 'follows' | 'shares' | 'unrelated';

export type ScaledBy = 'nothing' | 'value' | 'importance' | 'impact';

export type WorldEvent = {
  /** Epoch ms. */
  readonly occurredAt: number;
  /** Epoch ms; before `occurredAt` where it was known in advance, long after where it came late. */
  readonly recordedAt: number;
  readonly text: string;
  readonly value: number | null;
  /** The number of the step that holds it. */
  readonly step: number;
  /** What its curve is multiplied by; 0 where it has no effect. Nobody who looks for edges sees this. */
  readonly strength: number;
};

export type Effect = {
  readonly shape: Shape;
  readonly sign: 1 | -1;
  /** Of the peak at strength 1, in residual deviations. */
  readonly size: number;
  readonly scaledBy: ScaledBy;
  /** Steps from the peak until half of it is left. */
  readonly halfLife: number;
  /** In units of the target at strength 1. */
  readonly curve: Curve;
};

export type Stream = {
  readonly key: string;
  readonly role: StreamRole;
  /** By `occurredAt`. */
  readonly events: readonly WorldEvent[];
  /** null: it has none. */
  readonly effect: Effect | null;
  /** The cause that it comes with. */
  readonly companionOf: string | null;
  /** The first step at which its events have no effect any more. */
  readonly diesAt: number | null;
};

export type Signal = {
  readonly key: string;
  readonly role: SignalRole;
  readonly values: Float64Array;
  /** Steps by which it is ahead of the target (`leads`) or behind it (`follows`). */
  readonly lag: number | null;
  /** Deviation of what it adds to the target, in deviations of the noise; 0: nothing. */
  readonly size: number;
};

/** A point that was recorded as `was` first, and put right at `correctedAt` (epoch ms). */
export type Revision = { readonly step: number; readonly was: number; readonly correctedAt: number };

/** What the target is made of: they add up to it, except in counts, which are drawn from their sum. */
export type Parts = {
  /** Level, trend and the drift of the level. */
  readonly level: Float64Array;
  readonly season: Float64Array;
  readonly holidays: Float64Array;
  readonly leading: Float64Array;
  readonly effects: Float64Array;
  readonly noise: Float64Array;
};

export type NoiseKind = 'normal' | 'heavy' | 'autocorrelated' | 'uneven' | 'counts';

export type World = {
  readonly seed: number;
  readonly kind: Kind;
  /** Epoch ms of the first step, the step's length, and how many there are. */
  readonly start: number;
  readonly stepMs: number;
  readonly steps: number;
  /** Periods in steps, the shortest first. */
  readonly periods: readonly number[];
  readonly noise: NoiseKind;
  /** Deviation of the noise. `residual`: of the noise and what leading signals add, together. */
  readonly sigma: number;
  readonly residual: number;
  /** As it stands at the end, NaN where missing. The value of a step is known when the step has ended. */
  readonly target: Float64Array;
  readonly parts: Parts;
  readonly revisions: readonly Revision[];
  readonly streams: readonly Stream[];
  readonly signals: readonly Signal[];
};

/** When a step begins: epoch ms. */
export const timeOf = ({ start, stepMs }: Pick<World, 'start' | 'stepMs'>, step: number): number =>
  start + step * stepMs;
