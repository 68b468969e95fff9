import { regressorOf, shareOf, type Frame } from './frame.js';
import { pathOf, type Occurrences, type Shape } from './shapes.js';

/**
 * What a shape with a delay or a rise, and a bump whose sides differ must explain more (in z^2): noise makes
 * both out of simpler ones.
 */
const DEARER = { late: 2, lopsided: 8 };

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
  if (delay + rise === 0) return 0;
  const late = DEARER.late * (Number(delay > 0) + Number(rise > 0));
  if (form === 'exponential' || rise === 0) return late;
  return late + DEARER.lopsided * Math.log((2 * halfLife) / (rise + 1)) ** 2;
}
