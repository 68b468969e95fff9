import { robustScale } from '../series/quantile.js';
import type { Step } from '../series/grid.js';
import { leastSquares } from '../statistics/regression.js';
import { chosenProfile, profileColumns, startOf } from './profile.js';
import { columnsOf, type Harmonic } from './season-columns.js';
import { sharedErrors } from './shared.js';
import type { Occurrences } from './shapes.js';
import {
  autoregressionOf,
  basisOf,
  levelErrors,
  whitened,
  withoutPast,
  type Whitening,
} from './whitening.js';

/**
 * `seasonal_level`, the one forecaster that effects are measured against: a level that follows the series by
 * exponential smoothing, on top of a profile (trend and harmonics of the season) that is fitted by
 * generalised least squares to the data it may know. Its forecast of every lead is the level of the origin
 * and the profile of the time, so nothing after the origin enters.
 */
export type Reference = Whitening & {
  /** Whether the profile has a trend. */
  readonly trend: boolean;
  readonly harmonics: readonly Harmonic[];
  /** Of the profile's columns, in units of the target. */
  readonly coefficients: Float64Array;
  /** How many steps it was fitted to: the trend grows by its coefficient in so many. */
  readonly steps: number;
  /** Robust deviation of a whitened error. */
  readonly scale: number;
};

const GAINS = [0, 0.01, 0.02, 0.04, 0.07, 0.12, 0.2, 0.3, 0.45, 0.65, 0.85, 1];
/** Errors beyond this many robust deviations are cut to it: no single step may lead the fit. */
export const CUT = 4;
const ROUNDS = 2;

/** The steps of a series that have a value: 1, else 0. */
export function knownOf(y: Float64Array): Uint8Array {
  const known = new Uint8Array(y.length);
  for (let t = 0; t < y.length; t++) known[t] = Number.isNaN(y[t]!) ? 0 : 1;
  return known;
}

/**
 * The reference of a series on a grid, NaN where missing, with at least some ten values. `effects`: what is
 * known to act on it, in its unit, which is no error. `like`: one whose trend and harmonics it
 * has, with coefficients and gain of its own.
 */
export function referenceOf(
  y: Float64Array,
  step: Step,
  effects?: Float64Array,
  like?: Reference,
): Reference {
  const known = knownOf(y);
  const rest = effects ? y.map((value, t) => value - effects[t]!) : y;
  let clean = zeroed(rest);
  let reference = fitted(clean, known, step, like);
  for (let round = 0; round < ROUNDS; round++) {
    clean = cleaned(rest, known, reference);
    reference = fitted(clean, known, step, round === 0 ? like : reference);
  }
  return reference;
}

/** What events share is no outlier from so many deviations on. */
const SHARED = CUT / 2;

/**
 * The series with errors beyond `CUT` deviations cut to that, beyond what most events of the streams that
 * act share; 0 where missing.
 */
export function cleaned(
  rest: Float64Array,
  known: Uint8Array,
  reference: Reference,
  acting: readonly Occurrences[] = [],
): Float64Array {
  const clean = zeroed(rest);
  const errors = errorsOf(clean, known, reference);
  const shared = sharedErrors(errors, known, acting, SHARED * reference.scale);
  const most = CUT * reference.scale;
  return clean.map((value, t) => {
    const beyond = errors[t]! - shared[t]!;
    return value - beyond + Math.max(-most, Math.min(most, beyond));
  });
}

/** Whitened errors of a series beside the profile. */
function errorsOf(x: Float64Array, known: Uint8Array, reference: Reference): Float64Array {
  const profile = profileOf(reference, x.length);
  return whitened(
    x.map((value, t) => value - profile[t]!),
    reference,
    known,
  );
}

/** The same level and trend for a series whose season counts as unexplained. */
export function withoutSeason(reference: Reference, y: Float64Array): Reference {
  const known = knownOf(y);
  const coefficients = reference.coefficients.slice(0, reference.trend ? 1 : 0);
  const bare = { ...reference, harmonics: [], coefficients };
  const errors = errorsOf(zeroed(y), known, bare).filter((_, t) => known[t]);
  return { ...bare, scale: robustScale(errors).scale };
}

/** The profile over the first n steps, also beyond those it was fitted to. */
export function profileOf(reference: Reference, n: number): Float64Array {
  const { trend, harmonics, coefficients, steps } = reference;
  const profile = new Float64Array(n);
  const add = (column: Float64Array, by: number) => column.forEach((x, t) => (profile[t]! += by * x));
  let at = 0;
  if (trend)
    add(
      Float64Array.from({ length: n }, (_, t) => t / steps),
      coefficients[at++]!,
    );
  for (const harmonic of harmonics)
    for (const column of columnsOf(harmonic, n)) add(column, coefficients[at++]!);
  return profile;
}

export const zeroed = (x: Float64Array): Float64Array => x.map(value => (Number.isNaN(value) ? 0 : value));

/** With the gain that leaves least beside an autoregression: noise with a memory is no level that moves. */
function fitted(clean: Float64Array, known: Uint8Array, step: Step, like?: Reference): Reference {
  const { trend, harmonics, gain } = like ?? chosenProfile(clean, known, step);
  const columns = profileColumns({ trend, harmonics }, clean.length);
  const over = (at: number) => {
    const y = levelErrors(clean, at, known);
    if (columns.length === 0) return new Float64Array();
    return leastSquares([...columns.map(x => levelErrors(x, at, known)), startOf(clean, at, known)], y)
      .coefficients;
  };
  const fits = (like ? nearby(gain) : GAINS).map(at => {
    const coefficients = over(at).slice(0, columns.length);
    const bare = {
      trend,
      harmonics,
      coefficients,
      gain: at,
      autoregression: [],
      scale: 1,
      steps: clean.length,
    };
    const errors = errorsOf(clean, known, bare);
    const autoregression = autoregressionOf(errors);
    const white = withoutPast(errors, autoregression, known);
    return { bare: { ...bare, autoregression }, white, rss: sumOfSquares(white) };
  });
  const least = fits.reduce((a, b) => (b.rss < a.rss ? b : a));
  return { ...least.bare, scale: robustScale(least.white.filter((_, t) => known[t])).scale };
}

const nearby = (gain: number): number[] =>
  GAINS.filter(at => Math.abs(Math.log((at + 0.01) / (gain + 0.01))) < 2);

const sumOfSquares = (x: Float64Array): number => x.reduce((sum, value) => sum + value * value, 0);

/** Basis of what the profile explains in whitened series: what is tested is tested beside it. */
export function profileBasis(reference: Reference, known: Uint8Array): Float64Array[] {
  const n = known.length;
  const columns = [
    Float64Array.from({ length: n }, (_, t) => t / n),
    ...profileColumns({ ...reference, trend: false }, n),
    Float64Array.from({ length: n }, (_, t) => (t === known.indexOf(1) ? 1 : 0)),
  ];
  return basisOf(columns.map(x => whitened(x, reference, known)));
}

/** In steps, of the season; 1 without one. */
export const shortestPeriod = ({ harmonics }: Reference): number =>
  harmonics.length === 0 ? 1 : Math.min(...harmonics.map(({ period }) => period));
