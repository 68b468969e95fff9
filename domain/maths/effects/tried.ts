import { regressorOf, shareOf, type Frame } from './frame.js';
import { pathOf, type Occurrences, type Shape } from './shapes.js';

/**
 * What a shape that is late, one that rises, and a bump whose sides differ must explain more (in z^2): noise
 * makes them out of simpler ones.
 */
const DEARER = { late: 4, slow: 2, lopsided: 8 };

/** A shape that was fitted: its size at the peak, that in standard errors, and z^2 less its price. */
export type Tried = {
  readonly shape: Shape;
  readonly size: number;
  readonly z: number;
  readonly worth: number;
};

export type Explained = (shape: Shape) => Tried;

/** Fits of shapes to what a frame leaves. */
export const explainedBy =
  (frame: Frame, occurrences: Occurrences): Explained =>
  shape => {
    const { size, z } = shareOf(frame, regressorOf(frame, pathOf(occurrences, shape, frame.n)));
    return { shape, size, z, worth: z * z - priceOf(shape) };
  };

export const better = (a: Tried, b: Tried): Tried => (b.worth > a.worth ? b : a);

function priceOf({ delay, rise, halfLife, form }: Shape): number {
  const price = (delay > 0 ? DEARER.late : 0) + (rise > 0 ? DEARER.slow : 0);
  if (form === 'exponential' || rise === 0) return price;
  return price + DEARER.lopsided * Math.log((2 * halfLife) / (rise + 1)) ** 2;
}
