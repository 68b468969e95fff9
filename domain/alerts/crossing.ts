import { probabilityBelow } from '../maths/forecasting/tails.js';
import { normalLowerTail, normalQuantile } from '../maths/statistics/distributions.js';
import type { Direction } from './kinds.js';

/** Quantiles of the steps ahead, as forecasts have them: `quantiles[k]` belongs to `levels[k]`. */
export type Steps = {
  readonly levels: readonly number[];
  readonly quantiles: readonly (readonly number[])[];
};
type Asked = { readonly value: number; readonly direction: Direction; readonly withinSteps: number };

/**
 * How likely it is that a forecast goes beyond a value in one of its first steps.
 *
 * How likely a step by itself does, its quantiles say: linear between two levels, an exponential tail beyond
 * the outermost (`probabilityBelow`). How likely one of several does also hangs on how errors of
 * neighbouring steps go together, which no quantile says: between two bounds, the largest of the steps'
 * probabilities (errors that are all alike) and their sum, it may be anything. Here errors are taken for a
 * Gaussian Markov chain with correlation `ties[h]` of step h and the one before it (a Gaussian copula):
 * P(none goes beyond) is then one integral after the other, on a grid. It is right as far as ties are.
 */
export function crossingProbability(steps: Steps, asked: Asked, ties: readonly number[]): number {
  const horizon = Math.min(asked.withinSteps, steps.quantiles[0]?.length ?? 0);
  const barriers: number[] = [];
  for (let h = 0; h < horizon; h++) {
    const row = Float64Array.from(steps.quantiles, column => column[h]!);
    const below = probabilityBelow(row, steps.levels, asked.value);
    const beyond = asked.direction === 'above' ? 1 - below : below;
    barriers.push(normalQuantile(Math.min(1 - LEAST, Math.max(LEAST, 1 - beyond))));
  }
  return 1 - stayingBelow(barriers, ties);
}

/** Probabilities closer to 0 or 1 are taken for this close. */
const LEAST = 1e-9;

/**
 * Correlations of each step's error with the one before it, by the forecast's own widths: where each step
 * adds a shock of its own, as large as the error of the first step, to what was carried on of the one before
 * (autoregressions, random walks, noise), the share of the variance that was carried on is 1 - (w_1/w_h)^2.
 */
export function tiesByWidth({ levels, quantiles }: Steps): number[] {
  const width = (h: number): number => quantiles[levels.length - 1]![h]! - quantiles[0]![h]!;
  const first = width(0);
  return (quantiles[0] ?? []).map((_, h) =>
    h === 0 || !(width(h) > 0) ? 0 : Math.sqrt(Math.max(0, 1 - (first / width(h)) ** 2)),
  );
}

/** Errors of two neighbouring steps of the same forecast, each in half-widths of its band. */
export type Pair = { readonly lead: number; readonly before: number; readonly error: number };

/** So many pairs weigh as much as what the widths say. */
const PRIOR = 30;
/** Errors farther out count as this far: one must not stand for all. */
const FARTHEST = 3;
const MOST_TIE = 0.999;

/**
 * The same by the record, where there is one: pairs of errors say how the steps of this goal's forecasts go
 * together, also where the widths do not (a seasonal naive forecast is as wide at all steps of a season, and
 * wrong in all of them alike). Few pairs are drawn to what the widths say, as if 30 more had said that.
 */
export function tiesOf(steps: Steps, pairs: readonly Pair[]): number[] {
  const sums = new Map<number, { xy: number; xx: number; yy: number; n: number }>();
  for (const { lead, before, error } of pairs) {
    const [x, y] = [clipped(before), clipped(error)];
    const { xy, xx, yy, n } = sums.get(lead) ?? { xy: 0, xx: 0, yy: 0, n: 0 };
    sums.set(lead, { xy: xy + x * y, xx: xx + x * x, yy: yy + y * y, n: n + 1 });
  }
  return tiesByWidth(steps).map((tie, h) => {
    const sum = sums.get(h + 1);
    if (h === 0 || !sum || sum.xx === 0 || sum.yy === 0) return tie;
    const seen = sum.xy / Math.sqrt(sum.xx * sum.yy);
    return Math.max(-MOST_TIE, Math.min(MOST_TIE, (sum.n * seen + PRIOR * tie) / (sum.n + PRIOR)));
  });
}
const clipped = (x: number): number => Math.max(-FARTHEST, Math.min(FARTHEST, x));

/** The grid: cells of this width from -6 to 6 deviations. */
const CELL = 0.15;
const EDGE = 6;
const CELLS = Math.round((2 * EDGE) / CELL);
const edgeOf = (cell: number): number => -EDGE + cell * CELL;
const middleOf = (cell: number): number => edgeOf(cell) + CELL / 2;
/** The spread inside of a cell, whose mass stands at its middle. */
const INSIDE = CELL ** 2 / 12;

/** P(z_1 <= b_1, ..., z_n <= b_n) of a Gaussian Markov chain of mean 0 and variance 1 at each step. */
export function stayingBelow(barriers: readonly number[], ties: readonly number[]): number {
  let mass = new Float64Array(CELLS);
  barriers.forEach((barrier, h) => {
    const next = new Float64Array(CELLS);
    if (h === 0) spread(next, 1, 0, 1, barrier);
    else carry(mass, next, barrier, ties[h] ?? 0);
    mass = next;
  });
  return barriers.length === 0 ? 1 : mass.reduce((sum, one) => sum + one, 0);
}

/** What was left below the barriers so far, carried on one step and left below the next one. */
function carry(before: Float64Array, next: Float64Array, barrier: number, tie: number): void {
  if (tie === 0) {
    const left = before.reduce((sum, one) => sum + one, 0);
    spread(next, left, 0, 1, barrier);
    return;
  }
  // What is spread inside of a cell is taken off what a step spreads
  const deviation = Math.sqrt(Math.max(1e-6, 1 - tie * tie * (1 + INSIDE)));
  before.forEach((share, i) => {
    if (share > 0) spread(next, share, tie * middleOf(i), deviation, barrier);
  });
}

/** Adds a normally spread mass to the cells, as far as it lies below a barrier. */
function spread(mass: Float64Array, share: number, mean: number, deviation: number, barrier: number): void {
  const cellAt = (z: number): number => Math.floor((z + EDGE) / CELL);
  const first = Math.max(0, cellAt(mean - FAR * deviation));
  const last = Math.min(CELLS - 1, cellAt(Math.min(barrier, mean + FAR * deviation)));
  let below = lowerTail((edgeOf(first) - mean) / deviation);
  for (let j = first; j <= last; j++) {
    const upTo = lowerTail((Math.min(edgeOf(j + 1), barrier) - mean) / deviation);
    mass[j]! += share * (upTo - below);
    below = upTo;
  }
}

/** P(Z < z), looked up: to 1e-7, which is asked for some million times. */
const FINE = 512;
const FAR = 8;
let table: Float64Array | null = null;
function lowerTail(z: number): number {
  if (z <= -FAR) return 0;
  if (z >= FAR) return 1;
  table ??= Float64Array.from({ length: 2 * FAR * FINE + 2 }, (_, i) => normalLowerTail(i / FINE - FAR));
  const place = (z + FAR) * FINE;
  const low = Math.floor(place);
  const [a, b] = [table[low]!, table[low + 1]!];
  return a + (b - a) * (place - low);
}
