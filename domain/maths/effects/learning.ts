import type { Step } from '../series/grid.js';
import { dot } from '../statistics/columns.js';
import { shapeOf } from './fit.js';
import { frameBeside, frameOf, regressorOf, type Frame } from './frame.js';
import { sizesTogether } from './joint.js';
import { referenceOf, type Reference } from './reference.js';
import { pathOf, type Occurrences, type Shape } from './shapes.js';

/** A response seen so weakly (z^2) is not believed at all; a stronger one by what is beyond that. */
const DOUBT = 2;

export type Learned = {
  /** Fitted to the past without what the sources do. */
  readonly reference: Reference;
  readonly shape: Shape;
  readonly size: number;
  /** Sizes of the others. */
  readonly others: Float64Array;
};

/**
 * What a forecaster learns of a stream from `y`, NaN where it knows nothing: twice, the second time with a
 * reference that no longer takes the effects for level or season. `like`: a reference that has the trend and
 * harmonics of the target.
 */
export function learnt(
  y: Float64Array,
  step: Step,
  like: Reference,
  occurrences: Occurrences,
  others: readonly { readonly path: Float64Array }[],
): Learned {
  const paths = others.map(({ path }) => path);
  const reference = referenceOf(y, step, undefined, like);
  const first = learntBy(frameOf(y, step, undefined, reference), occurrences, paths);
  const effects = total(y.length, [
    ...paths.map((path, i) => scaled(path, first.others[i]!)),
    scaled(pathOf(occurrences, first.shape, y.length), first.size),
  ]);
  const better = referenceOf(y, step, effects, reference);
  return {
    reference: better,
    ...learntBy(frameOf(y, step, effects, better, [occurrences]), occurrences, paths),
  };
}

const scaled = (path: Float64Array, by: number): Float64Array => path.map(share => share * by);

function learntBy(
  frame: Frame,
  occurrences: Occurrences,
  paths: readonly Float64Array[],
): Omit<Learned, 'reference'> {
  const { n } = frame;
  const beside = frameBeside(
    frame,
    paths.map(path => regressorOf(frame, path)),
  );
  const shape = shapeOf(beside, occurrences);
  const path = pathOf(occurrences, shape, n);
  const sizes = sizesTogether(frame, [...paths, path]);
  const regressor = regressorOf(beside, path);
  const z2 = sizes.at(-1)! ** 2 * dot(regressor, 0, regressor, 0, n);
  return {
    shape,
    size: sizes.at(-1)! * (z2 > DOUBT ? 1 - DOUBT / z2 : 0),
    others: sizes.subarray(0, paths.length),
  };
}

/** The sum of columns of n numbers. */
export function total(n: number, columns: readonly Float64Array[]): Float64Array {
  const sum = new Float64Array(n);
  for (const column of columns) for (let t = 0; t < n; t++) sum[t]! += column[t]!;
  return sum;
}
