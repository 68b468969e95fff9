import { mean } from './actuals.js';

/** Ratios are taken of scores that this is added to, and count as at most e^3 and at least e^-3. */
const RATIO_OFFSET = 1e-3;
const LARGEST_LOG_RATIO = 3;

/**
 * Scores relative to a baseline's on the same series, in the same order: the geometric mean of (score +
 * 0.001) / (baseline + 0.001), each ratio cut to e^-3 .. e^3, so that a series forecast without error, or
 * badly missed, counts and does not rule. For scaled scores (MASE, scaled WQL). Series for which either is
 * NaN are left out; NaN where none is left.
 */
export function relativeTo(baseline: readonly number[], scores: readonly number[]): number {
  if (baseline.length !== scores.length) throw new RangeError("a score for each of the baseline's is needed");
  const logs = scores
    .map((score, i) => Math.log((score + RATIO_OFFSET) / (baseline[i]! + RATIO_OFFSET)))
    .filter(log => !Number.isNaN(log));
  return Math.exp(mean(logs.map(log => Math.min(LARGEST_LOG_RATIO, Math.max(-LARGEST_LOG_RATIO, log)))));
}
