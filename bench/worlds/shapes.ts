/** How the effect of an event goes on over time. */
export const SHAPES = ['decay', 'delayed', 'bump', 'shift'] as const;
export type Shape = (typeof SHAPES)[number];

/** An effect by steps from the event's own step, the largest 1. */
export type Curve = {
  /** The offset of `values[0]`: 0, or below where the effect begins before the event. */
  readonly first: number;
  readonly values: Float64Array;
  /** The offset of the largest value. */
  readonly peak: number;
};

/** What is smaller than this part of the peak is left out. */
const LEAST = 0.005;
/** A bell falls to half at so many of its widths. */
const HALF_OF_BELL = Math.sqrt(2 * Math.log(2));

/**
 * The curve of a shape whose half-life (steps from its peak until it is down to half) is `half`:
 * - `decay`: all at once, then 2^(-offset / half);
 * - `delayed`: grows evenly over `rise` steps, then decays likewise;
 * - `bump`: a bell, cut where it begins;
 * - `shift`: stays high for long, then goes: 2^(-(offset / half)^2).
 *
 * `before`: so many steps before the event it begins, growing evenly to the value that it has at the event;
 * for shapes whose peak is at the event.
 */
export function curveOf(shape: Shape, half: number, rise = 0, before = 0): Curve {
  const peak = peakOf(shape, half, rise);
  const values: number[] = [];
  for (let offset = -before; offset <= peak || heightAt(shape, offset - peak, half) >= LEAST; offset++)
    values.push(valueAt(shape, offset, half, peak, before));
  return { first: -before, values: Float64Array.from(values), peak };
}

function peakOf(shape: Shape, half: number, rise: number): number {
  if (shape === 'delayed') return rise;
  return shape === 'bump' ? Math.ceil((2 * half) / HALF_OF_BELL) : 0;
}

function valueAt(shape: Shape, offset: number, half: number, peak: number, before: number): number {
  if (offset < 0) return (offset + before + 1) / (before + 1);
  if (shape === 'delayed' && offset < peak) return (offset + 1) / (peak + 1);
  return heightAt(shape, offset - peak, half);
}

/** So many steps after the peak. */
function heightAt(shape: Shape, after: number, half: number): number {
  const lives = after / half;
  return 2 ** -(shape === 'bump' || shape === 'shift' ? lives * lives : lives);
}
