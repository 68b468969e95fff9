import type { Step } from '../series/grid.js';
import { seeded, type Uniform } from '../seeded.js';
import { frameOf, type Frame } from './frame.js';
import { referencesOf } from './lift.js';
import type { Reference } from './reference.js';
import { withoutSeason } from './reference.js';
import { total } from './learning.js';
import { pathIn } from './chosen.js';
import { select, type Selection, type Tested } from './selection.js';
import { dictionaryOf, scoresOf } from './dictionary.js';
import { placeboP, scanP, shiftsOf } from './placebos.js';
import { scanOf } from './scan.js';
import { shapesWithin } from './shapes.js';
import { cutErrors } from './frame.js';
import type { GriddedStream } from './streams.js';

export const PLACEBOS = 199;

/** All that is measured of the streams together. */
export type Study = {
  readonly frame: Frame;
  readonly streams: readonly GriddedStream[];
  readonly selection: Selection;
  /** What each chosen stream adds to the target, in the order of `selection.chosen`. */
  readonly paths: readonly Float64Array[];
  /** Each stream by itself where the target's season counts as unexplained; null: it has none. */
  readonly withSeason: readonly Tested[] | null;
  readonly references: (at: number) => Reference | null;
};

const PASSES = 3;

/**
 * First with a reference that knows of no effects, then with ones that know those found and no longer take
 * them for level, season or outliers.
 */
export function studied(y: Float64Array, step: Step, streams: readonly GriddedStream[], seed: number): Study {
  const random = seeded(seed);
  let frame = frameOf(y, step);
  const shifts = shiftsFor(frame, random);
  let selection = select(frame, streams, shifts);
  for (let pass = 1; pass < PASSES && selection.chosen.length > 0; pass++) {
    const { gain } = frame.reference;
    frame = frameOf(y, step, sumOf(frame, streams, selection));
    selection = select(frame, streams, shifts);
    if (frame.reference.gain === gain) break;
  }
  const paths = selection.chosen.map(each =>
    pathIn(frame, streams, each).map(share => share * each.fit.size),
  );
  const withSeason = seasonal(frame, streams, paths, random);
  return { frame, streams, selection, paths, withSeason, references: referencesOf(y, step) };
}

function shiftsFor({ n, reference }: Frame, random: Uniform): Int32Array {
  const shortest = reference.harmonics.reduce((least, { period }) => Math.min(least, period), Infinity);
  return shiftsOf(n, Number.isFinite(shortest) ? shortest : 1, PLACEBOS, random);
}

const sumOf = (frame: Frame, streams: readonly GriddedStream[], { chosen }: Selection): Float64Array =>
  total(
    frame.n,
    chosen.map(each => pathIn(frame, streams, each).map(share => share * each.fit.size)),
  );

function seasonal(
  frame: Frame,
  streams: readonly GriddedStream[],
  paths: readonly Float64Array[],
  random: Uniform,
): Tested[] | null {
  if (frame.reference.harmonics.length === 0) return null;
  const effects = total(frame.n, paths);
  const rest = frame.y.map((value, t) => value - effects[t]!);
  const bare = frameOf(rest, frame.step, undefined, withoutSeason(frame.reference, rest));
  const dictionary = dictionaryOf(shapesWithin(bare.n), bare.reference, bare.n);
  const scores = scoresOf(cutErrors(bare), dictionary);
  const shifts = shiftsOf(bare.n, 1, PLACEBOS, random);
  return streams.map(({ weighings }) => {
    const scan = scanOf(weighings.slice(0, 1), dictionary, scores, shifts);
    const { z, placebos } = scan;
    return { z, p: scanP(z, placebos), placeboP: placeboP(z, placebos), weighing: 0, scan };
  });
}
