/** Simple exponential smoothing at its best: the last level, and the sum of squared one-step errors. */
export type Smoothing = { readonly alpha: number; readonly level: number; readonly squares: number };

/** Alpha lies between these. */
const LEAST_ALPHA = 1e-4;
const GREATEST_ALPHA = 1 - 1e-4;
/**
 * So many steps of alpha are looked at before the best is narrowed down, as there may be more than one dip.
 */
const ALPHA_STEPS = 24;
const NARROWINGS = 48;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * The alpha and the first level for which the squared one-step errors of l[t] = l[t-1] + alpha (x[t] -
 * l[t-1]) are least. The level is solved for at each alpha, as errors are linear in it, so that alpha alone
 * is searched: over a grid, then by golden section (to about 1e-11). The series has no gaps.
 */
export function leastSmoothing(values: Float64Array): Smoothing {
  const at = (i: number): number =>
    LEAST_ALPHA + (GREATEST_ALPHA - LEAST_ALPHA) * Math.min(1, Math.max(0, i / ALPHA_STEPS));
  const grid = Array.from({ length: ALPHA_STEPS + 1 }, (_, i) => smoothed(values, at(i)));
  const best = grid.reduce((best, now, i) => (now.squares < grid[best]!.squares ? i : best), 0);
  let low = at(best - 1);
  let high = at(best + 1);
  let least = grid[best]!;
  for (let i = 0; i < NARROWINGS; i++) {
    const left = smoothed(values, high - GOLDEN * (high - low));
    const right = smoothed(values, low + GOLDEN * (high - low));
    if (left.squares <= right.squares) high = right.alpha;
    else low = left.alpha;
    least = [left, right].reduce((least, now) => (now.squares < least.squares ? now : least), least);
  }
  return least;
}

/** Smoothing from the level 0, and what a first level of 1 would add: weights (1 - alpha)^t on the errors. */
export function smoothed(values: Float64Array, alpha: number): Smoothing {
  let level = 0;
  let weight = 1;
  let ee = 0;
  let ew = 0;
  let ww = 0;
  for (const x of values) {
    const error = x - level;
    ee += error * error;
    ew += error * weight;
    ww += weight * weight;
    level += alpha * error;
    weight *= 1 - alpha;
  }
  const first = ew / ww;
  return { alpha, level: level + weight * first, squares: Math.max(0, ee - ew * first) };
}
