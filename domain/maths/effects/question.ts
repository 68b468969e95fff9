import type { Series } from '../series/series.js';

/** An event as the study needs it: times in epoch ms; what is not known of it is null. */
export type EventSeen = {
  readonly occurredAt: number;
  /** When it became known. Before `occurredAt`: it was known in advance. */
  readonly recordedAt: number;
  /** 0 to 1. */
  readonly importance: number | null;
  /** -1 to 1. */
  readonly impact: number | null;
  readonly value: number | null;
};

/** `alpha`: the candidate's own, where it is held to another than the question's. */
type Held = { readonly alpha?: number };

/** A candidate: a stream of events, in any order. */
export type StreamSource = Held & {
  readonly kind: 'event_stream';
  readonly key: string;
  readonly events: readonly EventSeen[];
};

/** A candidate: another series. */
export type SignalSource = Held & {
  readonly kind: 'signal';
  readonly key: string;
  readonly series: Series;
};

export type Candidate = StreamSource | SignalSource;

export type EffectsSettings = {
  /** The share of false finds that is borne among those found, 0 to 1; usual: .05. */
  readonly alpha: number;
  /** How many steps a signal's past may reach back, at least 1; null: what the horizon and the data bear. */
  readonly maxLag: number | null;
  /** Whole number from 0 to 2^32 - 1: what is drawn by chance is drawn from it. */
  readonly seed: number;
};

/**
 * Which of the candidates move a target. All is known at one time, that of the question: there is nothing
 * in it that was not known then. Plain objects and columns: it can be sent to another process.
 */
export type EffectsQuestion = {
  readonly target: Series;
  /** Length of a step of the goal in ms, from 1000. */
  readonly stepMs: number;
  /** Steps ahead that the goal forecasts, 1 to 1000. */
  readonly horizon: number;
  readonly candidates: readonly Candidate[];
  readonly settings: EffectsSettings;
};
