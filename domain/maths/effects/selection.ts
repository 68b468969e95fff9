import { pruned, refitted, without, type Chosen } from './chosen.js';
import { dictionaryOf, scoresOf, type Dictionary } from './dictionary.js';
import { fitted, shapeOf } from './fit.js';
import { cutErrors, frameBeside, regressorOf, type Frame } from './frame.js';
import { placeboP, scanP } from './placebos.js';
import { scanAgain, scanOf, type Scan } from './scan.js';
import { pathOf, shapesWithin, type Occurrences } from './shapes.js';
import type { GriddedStream } from './streams.js';

/** How a stream does beside those taken out before. */
export type Tested = {
  readonly z: number;
  readonly p: number;
  readonly placeboP: number;
  readonly weighing: number;
  readonly scan: Scan;
};

export type Selection = {
  readonly chosen: readonly Chosen[];
  /** Of every stream by itself. */
  readonly alone: readonly Tested[];
  /** Of every stream beside those chosen (without itself). */
  readonly beside: readonly Tested[];
};

/** A candidate needs a q below this. */
export const CANDIDATE_Q = 0.1;
const MOST_CHOSEN = 25;

/**
 * Which streams act, one after the other: the one whose response stands out most is taken out of the errors,
 * then the next, as long as it is significant (Benjamini and Hochberg's bound for so many finds among `tests`
 * candidates of all kinds); then those
 * that say nothing beside the others go, the weakest first. So of streams that come together the one that
 * explains is found, and the other has nothing left to explain.
 */
export function select(
  frame: Frame,
  streams: readonly GriddedStream[],
  shifts: Int32Array,
  tests: number,
): Selection {
  const dictionary = dictionaryOf(shapesWithin(frame.n), frame.reference, frame.n);
  const scan = (free: Frame, only?: number): Tested[] => {
    const scores = scoresOf(cutErrors(free), dictionary);
    const looked = only === undefined ? streams : [streams[only]!];
    return looked.map(({ weighings }) => {
      const found = scanOf(weighings, dictionary, scores, shifts);
      return tested(isInflated(found) ? scanOfRest(free, weighings, found, scores) : found);
    });
  };
  /** Held against shifted times without what the stream itself may do, where that takes much of the time. */
  const scanOfRest = (
    free: Frame,
    weighings: readonly Occurrences[],
    found: Scan,
    scores: readonly Float64Array[],
  ): Scan => {
    const bare = found.deviations.map(each => each.map(() => 1));
    const own = scanAgain({ ...found, deviations: bare }, weighings, dictionary, scores);
    if (own.z < SEEN) return found;
    const occurrences = weighings[found.weighting]!;
    const path = pathOf(occurrences, shapeOf(free, occurrences), free.n);
    if (own.z < STRONG && !isMuch(path)) return found;
    const rest = frameBeside(free, [regressorOf(free, path)]);
    const noise = scanOf(weighings, dictionary, scoresOf(cutErrors(rest), dictionary), shifts);
    return scanAgain(noise, weighings, dictionary, scores);
  };
  const again = (free: Frame, before: readonly Tested[]): Tested[] => {
    const scores = scoresOf(cutErrors(free), dictionary);
    return streams.map(({ weighings }, i) =>
      tested(scanAgain(before[i]!.scan, weighings, dictionary, scores)),
    );
  };
  const alone = scan(frame);
  let full = alone;
  let now = alone;
  let chosen: Chosen[] = [];
  while (chosen.length < MOST_CHOSEN) {
    const bound = (CANDIDATE_Q * (chosen.length + 1)) / Math.max(1, tests);
    const free = without(frame, streams, chosen);
    const next = bestOf(now, chosen, bound);
    if (next === null && now === full) break;
    if (next === null) now = full = scan(free);
    else {
      chosen = refitted(frame, streams, [...chosen, pick(free, streams, next, now[next]!, dictionary)]);
      now = again(without(frame, streams, chosen), full);
    }
  }
  const found = chosen.length;
  chosen = pruned(
    frame,
    streams,
    chosen,
    alone.map(({ scan }) => scan.placebos),
  );
  const last = now === full && chosen.length === found ? full : scan(without(frame, streams, chosen));
  return { chosen, alone, beside: besideOf(frame, streams, chosen, alone, last, scan) };
}

/** Shifted times that do so much better than noise may meet the effect of the stream itself. */
const INFLATED = 1.25;
/** A response of a smaller z, were noise as it should be, is not looked at. */
const SEEN = 2.5;
/** One of such a z meets itself at shifted times however little of the time it takes. */
const STRONG = 16;
const isInflated = ({ deviations }: Scan): boolean => deviations.some(each => Math.max(...each) > INFLATED);

/** A response acts where it is so large, as a share of its peak; it is much from this share of steps on. */
const ACTS = 0.25;
const MUCH = 1 / 5;

function isMuch(path: Float64Array): boolean {
  const most = path.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  return path.filter(x => Math.abs(x) > ACTS * most).length > MUCH * path.length;
}

function bestOf(tested: readonly Tested[], chosen: readonly Chosen[], bound: number): number | null {
  let best: number | null = null;
  tested.forEach(({ z, p }, i) => {
    if (p > bound || chosen.some(({ at }) => at === i)) return;
    if (best === null || z > tested[best]!.z) best = i;
  });
  return best;
}

const tested = (scan: Scan): Tested => ({
  z: scan.z,
  p: scanP(scan.z, scan.placebos),
  placeboP: placeboP(scan.z, scan.placebos),
  weighing: scan.weighting,
  scan,
});

const pick = (
  frame: Frame,
  streams: readonly GriddedStream[],
  at: number,
  { scan, weighing }: Tested,
  { shapes }: Dictionary,
): Chosen => ({
  at,
  weighing,
  fit: fitted(frame, streams[at]!.weighings[weighing]!, [shapes[scan.shape]!]),
});

function besideOf(
  frame: Frame,
  streams: readonly GriddedStream[],
  chosen: readonly Chosen[],
  alone: readonly Tested[],
  last: readonly Tested[],
  scan: (free: Frame, only?: number) => readonly Tested[],
): Tested[] {
  return streams.map((_, i) => {
    const others = chosen.filter(({ at }) => at !== i);
    if (others.length === chosen.length) return last[i]!;
    return others.length === 0 ? alone[i]! : scan(without(frame, streams, others), i)[0]!;
  });
}
