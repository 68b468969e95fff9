import type { Fact } from '../fact.js';
import type { PointsRecorded, PointsRevised, SignalFact } from './facts.js';
import { lastTime, type Points, type Runs } from './points.js';

/** Points with the time at which each was recorded. */
export type Layer = { readonly points: Points; readonly recorded: Runs };
/**
 * A signal can have millions of points, so its state never holds them all. It is begun from what read models
 * hold, with the points at the times that a command names (`layers`, later ones over earlier), and goes on
 * with the facts behind that.
 */
export type LiveSignal = {
  readonly status: 'live';
  /** Time of the newest point: what is later is new. */
  readonly last: number;
  readonly reportedUnit: string | null;
  readonly unit: string | null;
  readonly group: string | null;
  readonly name: string | null;
  readonly layers: readonly Layer[];
};
export type SignalState = { readonly status: 'none' } | LiveSignal;

export const initialState: SignalState = { status: 'none' };

export function evolve(state: SignalState, fact: Fact<SignalFact>): SignalState {
  if (fact.type === 'SignalDeleted') return initialState;
  if (fact.type === 'PointsRecorded' || fact.type === 'PointsRevised') return withPoints(state, fact);
  if (state.status === 'none') return state;
  switch (fact.type) {
    case 'SignalUnitReported':
      return { ...state, reportedUnit: fact.data.unit };
    case 'SignalUnitAssigned':
      return { ...state, unit: fact.data.unit };
    case 'SignalGroupAssigned':
      return { ...state, group: fact.data.group };
    case 'SignalNamed':
      return { ...state, name: fact.data.name };
  }
}

function withPoints(
  state: SignalState,
  { data: { points }, at }: Fact<PointsRecorded | PointsRevised>,
): LiveSignal {
  const layer: Layer = { points, recorded: [[points.values.length, at]] };
  const last = lastTime(points);
  if (state.status === 'live')
    return { ...state, last: Math.max(state.last, last), layers: [...state.layers, layer] };
  return { status: 'live', last, reportedUnit: null, unit: null, group: null, name: null, layers: [layer] };
}
