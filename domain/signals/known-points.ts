import { firstFrom } from '../maths/series/series.js';
import { unpacked, valuesOf } from './points.js';
import type { SignalState } from './state.js';

/** Values by their times, and when each was recorded. */
export type KnownPoints = Map<number, { readonly value: number; readonly at: number }>;

/** The points of a state at some times. */
export function pointsAt(state: SignalState, times: readonly number[]): KnownPoints {
  const known: KnownPoints = new Map();
  if (state.status === 'none') return known;
  const from = times.reduce((a, b) => Math.min(a, b));
  const to = times.reduce((a, b) => Math.max(a, b));
  const asked = new Set(times);
  if (from > state.last) return known;
  for (const { points, recorded } of state.layers) {
    const columns = unpacked(points);
    const at = valuesOf(recorded);
    for (let i = firstFrom(columns.times, from); i < at.length && columns.times[i]! <= to; i++) {
      if (asked.has(columns.times[i]!))
        known.set(columns.times[i]!, { value: columns.values[i]!, at: at[i]! });
    }
  }
  return known;
}
