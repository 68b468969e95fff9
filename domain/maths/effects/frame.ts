import type { Step } from '../series/grid.js';
import { dot } from '../statistics/columns.js';
import { CUT, cleaned, knownOf, profileBasis, referenceOf, type Reference } from './reference.js';
import type { Occurrences } from './shapes.js';
import { basisOf, beside, whitened } from './whitening.js';

/**
 * A target as regressions see it: its whitened errors beside the profile (and beside whatever else is taken
 * out), in residual deviations, cut to 4 of them.
 */
export type Frame = {
  readonly n: number;
  readonly step: Step;
  /** NaN where missing. */
  readonly y: Float64Array;
  /** `y` with errors that no effect explains cut. */
  readonly clean: Float64Array;
  readonly known: Uint8Array;
  readonly reference: Reference;
  readonly basis: readonly Float64Array[];
  readonly errors: Float64Array;
  /** Steps with a value, less what the profile uses. */
  readonly degrees: number;
};

/**
 * `effects`: those known to act, in the unit of the target. `acting`: the streams among their sources, whose
 * events may share errors beyond the cut.
 */
export function frameOf(
  y: Float64Array,
  step: Step,
  effects: Float64Array = new Float64Array(y.length),
  given?: Reference,
  acting: readonly Occurrences[] = [],
): Frame {
  const known = knownOf(y);
  const reference = given ?? referenceOf(y, step, effects);
  const rest = y.map((value, t) => value - effects[t]!);
  const clean = cleaned(rest, known, reference, acting).map((value, t) => value + effects[t]!);
  const basis = profileBasis(reference, known);
  const errors = divided(beside(whitened(clean, reference, known), basis), reference.scale);
  const degrees = known.reduce((sum, x) => sum + x, 0) - basis.length;
  return { n: y.length, step, y, clean, known, reference, basis, errors, degrees };
}

/** In place. */
function divided(x: Float64Array, by: number): Float64Array {
  for (let t = 0; t < x.length; t++) x[t]! /= by;
  return x;
}

/** How a path in units of the target shows in the errors. */
export const regressorOf = (frame: Frame, path: Float64Array): Float64Array =>
  divided(beside(whitened(path, frame.reference, frame.known), frame.basis), frame.reference.scale);

/** The frame without these regressors: what is left is tested beside them. */
export function frameBeside(frame: Frame, regressors: readonly Float64Array[]): Frame {
  if (regressors.length === 0) return frame;
  const added = basisOf(regressors);
  const errors = beside(frame.errors.slice(), added);
  return { ...frame, errors, basis: [...frame.basis, ...added], degrees: frame.degrees - added.length };
}

/** Errors as the scan takes them: those no effect may explain all by itself. */
export const cutErrors = ({ errors }: Frame): Float64Array =>
  errors.map(error => Math.max(-CUT, Math.min(CUT, error)));

/** The share of one regressor in the errors: `size` in its unit, and z, its size in standard errors. */
export function shareOf(frame: Frame, regressor: Float64Array): { size: number; z: number; gain: number } {
  const { n, errors, degrees } = frame;
  const xx = dot(regressor, 0, regressor, 0, n);
  if (!(xx > 1e-12)) return { size: 0, z: 0, gain: 0 };
  const xy = dot(regressor, 0, errors, 0, n);
  const gain = (xy * xy) / xx;
  const left = Math.max(dot(errors, 0, errors, 0, n) - gain, 1e-300);
  return { size: xy / xx, z: Math.sign(xy) * Math.sqrt((gain * Math.max(1, degrees - 1)) / left), gain };
}
