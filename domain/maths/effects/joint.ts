import { fUpperTail } from '../statistics/distributions.js';
import { leastSquares, nestedFits } from '../statistics/regression.js';
import { regressorOf, type Frame } from './frame.js';
import type { Fit } from './fit.js';
import { pathOf, type Occurrences } from './shapes.js';
import { someOf } from './streams.js';

/** Steps before an event that are tested together, and those after it that the response may miss. */
const BEFORE: readonly (readonly [from: number, to: number])[] = [
  [-1, -1],
  [-3, -2],
  [-6, -4],
  [-12, -7],
];
const AFTER: readonly (readonly [from: number, to: number])[] = [
  [0, 0],
  [1, 2],
  [3, 6],
  [7, 14],
];

/** What there may be before an event, as a share of the peak, without that anybody would call it one. */
const BORNE = 0.1;

/**
 * p of "before the event nothing happens that is worth a tenth of the peak": an F test of what the errors 1
 * to 12 steps before the events add to the response and to what it misses after them. A test of "nothing at
 * all" would refuse one true effect in twenty, and strong ones for the smallest misfit, so the null is a
 * smallest effect of interest (Murphy and Myors, Testing the hypothesis that treatments have negligible
 * effects, 1999), with Patnaik's approximation (1949) of the noncentral distribution. `frame` is without the
 * effects of others.
 */
export function preTrendP(frame: Frame, occurrences: Occurrences, fit: Fit): number {
  const block = ([from, to]: readonly [number, number]): Float64Array => {
    const path = new Float64Array(frame.n);
    occurrences.steps.forEach((step, i) => {
      for (let t = Math.max(0, step + from); t <= Math.min(frame.n - 1, step + to); t++)
        path[t]! += occurrences.weights[i]!;
    });
    return regressorOf(frame, path);
  };
  const own = regressorOf(frame, pathOf(occurrences, fit.shape, frame.n));
  const base = [own, ...AFTER.map(block)];
  const before = BEFORE.map(block);
  const { rss, rank } = nestedFits([...base, ...before], frame.errors);
  const added = rank.at(-1)! - rank[base.length]!;
  const degrees = frame.degrees - rank.at(-1)!;
  if (added === 0 || degrees < 1 || !(rss.at(-1)! > 0)) return 1;
  const statistic = (rss[base.length]! - rss.at(-1)!) / (rss.at(-1)! / degrees);
  const least = nestedFits(base, sumOf(before)).rss.at(-1)!;
  const centre = (BORNE * fit.size) ** 2 * least;
  const scale = (added + 2 * centre) / (added + centre);
  const freedom = (added + centre) ** 2 / (added + 2 * centre);
  return fUpperTail(statistic / scale / freedom, freedom, degrees);
}

const sumOf = (columns: readonly Float64Array[]): Float64Array =>
  columns[0]!.map((_, t) => columns.reduce((sum, column) => sum + column[t]!, 0));

const MOST_WINDOWS = 5;
const LEAST_EVENTS = 4;
/** One-sided z of a window from which on it shows the effect. */
const SHOWS = 1;

/**
 * Share of windows, equal numbers of occurrences in each, in which the effect has its sign and stands out of
 * the noise.
 */
export function stabilityOf(frame: Frame, occurrences: Occurrences, fit: Fit): number {
  const count = occurrences.steps.length;
  const windows = Math.max(2, Math.min(MOST_WINDOWS, Math.floor(count / LEAST_EVENTS)));
  const columns = Array.from({ length: windows }, (_, w) => {
    const some = someOf(
      occurrences,
      Math.floor((count * w) / windows),
      Math.floor((count * (w + 1)) / windows),
    );
    return regressorOf(frame, pathOf(some, fit.shape, frame.n));
  });
  const sign = Math.sign(fit.size);
  const shows = columns.filter((column, w) => {
    const others = columns.filter((_, at) => at !== w);
    return sign * zOf([...others, column], frame) >= SHOWS;
  });
  return shows.length / windows;
}

/** z of the last column beside those before it. */
export function zOf(columns: readonly Float64Array[], { errors, degrees }: Frame): number {
  const { effects, rss, rank } = nestedFits(columns, errors);
  const left = degrees - rank.at(-1)!;
  return left < 1 || !(rss.at(-1)! > 0) ? 0 : effects.at(-1)! / Math.sqrt(rss.at(-1)! / left);
}

/** Sizes of several responses fitted together, each in units of the target. */
export const sizesTogether = (frame: Frame, paths: readonly Float64Array[]): Float64Array =>
  leastSquares(
    paths.map(path => regressorOf(frame, path)),
    frame.errors,
  ).coefficients;

/** Share of the errors' squares that a response explains at the steps it acts on. */
export function strengthOf(frame: Frame, path: Float64Array, size: number): number {
  const most = path.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const regressor = regressorOf(frame, path);
  let before = 0;
  let after = 0;
  for (let t = 0; t < frame.n; t++) {
    if (!frame.known[t] || Math.abs(path[t]!) < ACTS * most) continue;
    before += frame.errors[t]! ** 2;
    after += (frame.errors[t]! - size * regressor[t]!) ** 2;
  }
  return before > 0 ? Math.max(0, 1 - after / before) : 0;
}

const ACTS = 0.25;
