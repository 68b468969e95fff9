import type { Weighing } from './answer.js';
import type { EventSeen, StreamSource } from './question.js';
import type { Occurrences } from './shapes.js';
import { weighingsOf, weightOf } from './weighting.js';

/** A stream on the target's grid. */
export type GriddedStream = {
  readonly key: string;
  /** Events within the target's time, by occurrence, and the step of each. */
  readonly events: readonly EventSeen[];
  readonly steps: Int32Array;
  readonly kinds: readonly Weighing[];
  /** For each weighing. */
  readonly weighings: readonly Occurrences[];
  readonly knownInAdvance: boolean;
};

/** Of a stream with more events the newest count. */
const MOST_EVENTS = 500;

/** `stepAt`: the step of a time, or -1 outside. */
export function gridded({ key, events }: StreamSource, stepAt: (time: number) => number): GriddedStream {
  const within = events
    .filter(event => stepAt(event.occurredAt) >= 0)
    .sort((a, b) => a.occurredAt - b.occurredAt || a.recordedAt - b.recordedAt)
    .slice(-MOST_EVENTS);
  const steps = Int32Array.from(within, event => stepAt(event.occurredAt));
  const kinds = weighingsOf(within);
  const early = within.filter(event => event.recordedAt < event.occurredAt).length;
  return {
    key,
    events: within,
    steps,
    kinds,
    weighings: kinds.map(weighing => occurrencesOf(steps, within, weighing)),
    knownInAdvance: 2 * early > within.length,
  };
}

/** Events of one step weigh together. */
export function occurrencesOf(
  steps: Int32Array,
  events: readonly EventSeen[],
  weighing: Weighing,
): Occurrences {
  const weights = new Map<number, number>();
  events.forEach((event, i) => {
    weights.set(steps[i]!, (weights.get(steps[i]!) ?? 0) + weightOf(weighing, event));
  });
  return { steps: Int32Array.from(weights.keys()), weights: Float64Array.from(weights.values()) };
}

/** Those of the occurrences from the place `from` to before `to`. */
export const someOf = ({ steps, weights }: Occurrences, from: number, to: number): Occurrences => ({
  steps: steps.subarray(from, to),
  weights: weights.subarray(from, to),
});
