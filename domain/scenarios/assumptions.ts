/**
 * Steps that begin within are meant (epoch ms, `to` not included); null: from the first step ahead, to the
 * last.
 */
export type Window = { readonly from: number | null; readonly to: number | null };

type OfSignal = Window & { readonly key: string };
/** `values`: one for each step of the window, also of those that are not known; one alone: for all. */
export type SignalSet = OfSignal & { readonly kind: 'signal_set'; readonly values: readonly number[] };
export type SignalScale = OfSignal & { readonly kind: 'signal_scale'; readonly factor: number };
export type SignalShift = OfSignal & { readonly kind: 'signal_shift'; readonly add: number };
export type SignalAssumption = SignalSet | SignalScale | SignalShift;

/** `count` of the same at one time. What is not said is that of the stream's mean event. */
export type EventAdd = {
  readonly kind: 'event_add';
  readonly stream: string;
  readonly occurredAt: number;
  readonly importance: number | null;
  readonly impact: number | null;
  readonly value: number | null;
  readonly count: number;
};
/** One event, or those of a stream within a window of time. */
export type EventRemove = Window & {
  readonly kind: 'event_remove';
  readonly eventId: string | null;
  readonly stream: string | null;
};
export type EventMove = {
  readonly kind: 'event_move';
  readonly eventId: string;
  readonly occurredAt: number;
};
export type EdgeOff = { readonly kind: 'edge_off'; readonly edgeId: string };

/** What is to be taken as so, though it is not. */
export type Assumption = SignalAssumption | EventAdd | EventRemove | EventMove | EdgeOff;

export const ASSUMPTION_KINDS = [
  ...(['signal_set', 'signal_scale', 'signal_shift'] as const),
  ...(['event_add', 'event_remove', 'event_move', 'edge_off'] as const),
] as const satisfies readonly Assumption['kind'][];

export const isOfSignal = (assumption: Assumption): assumption is SignalAssumption =>
  assumption.kind.startsWith('signal_');

/** Of one scenario. */
export const MOST_ASSUMPTIONS = 50;
/** Numbers that are assumed are no larger, whatever their sign. */
export const LARGEST = 1e15;

/** What an assumption makes of a value (NaN: there is none); `place`: of the step in the window, from 0. */
export function assumed(assumption: SignalAssumption, value: number, place: number): number {
  switch (assumption.kind) {
    case 'signal_set':
      return assumption.values[assumption.values.length === 1 ? 0 : place] ?? value;
    case 'signal_scale':
      return assumption.factor * value;
    case 'signal_shift':
      return assumption.add + value;
  }
}
