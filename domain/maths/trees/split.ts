import type { Histogram } from './histogram.js';

/** Rows with a bin of the feature at or below `bin` go left. */
export type Split = {
  readonly feature: number;
  readonly bin: number;
  readonly missingLeft: 0 | 1;
  readonly gain: number;
  /** The sum of the pulls of the rows that go left, and how many they are. */
  readonly leftSum: number;
  readonly leftRows: number;
};

/** The rows of a node: their pulls' sum, how many they are, and between what its ends must lie. */
export type Sums = {
  readonly sum: number;
  readonly rows: number;
  readonly low: number;
  readonly high: number;
};

export type Rules = {
  readonly shift: number;
  /** Whether all pulls are 0 or 1. */
  readonly binary: boolean;
  readonly l2: number;
  readonly minLeafRows: number;
  readonly minGain: number;
};

/** The step along the gradient with the least loss in the second order, within the node's limits. */
export const outputOf = ({ sum, rows, low, high }: Sums, { shift, l2 }: Rules): number =>
  Math.min(high, Math.max(low, (sum - shift * rows) / (rows + l2)));

/** By how much that step lowers twice the loss, in the second order. */
const scoreOf = (sum: number, rows: number, output: number, shift: number, l2: number): number =>
  (2 * (sum - shift * rows) - (rows + l2) * output) * output;

/**
 * The split of one feature with the greatest gain (Chen and Guestrin 2016, formula 7, and Ke et al. 2017): at
 * each border between bins, and where rows miss the value, with those on either side; also of those rows from
 * all others. Where none misses it, missing values will go where most rows went. `sign` is the feature's
 * monotone option. null where no split keeps the rules.
 */
export function bestSplit(
  { sums, counts }: Histogram,
  at: number,
  values: number,
  feature: number,
  sign: number,
  node: Sums,
  rules: Rules,
): Split | null {
  const { sum, rows, low, high } = node;
  const { shift, l2, minLeafRows } = rules;
  const missing = counts[at + values]!;
  const own = scoreOf(sum, rows, outputOf(node, rules), shift, l2);
  let best = own + rules.minGain;
  let found: Split | null = null;
  for (let side = 0; side < (missing > 0 ? 2 : 1); side++) {
    let leftSum = side === 1 ? sums[at + values]! : 0;
    let leftRows = side === 1 ? missing : 0;
    const last = missing > 0 && side === 0 ? values : values - 1;
    for (let bin = 0; bin < last; bin++) {
      leftSum += sums[at + bin]!;
      leftRows += counts[at + bin]!;
      if (leftRows < minLeafRows) continue;
      const rightRows = rows - leftRows;
      if (rightRows < minLeafRows) break;
      const rightSum = sum - leftSum;
      const left = Math.min(high, Math.max(low, (leftSum - shift * leftRows) / (leftRows + l2)));
      const right = Math.min(high, Math.max(low, (rightSum - shift * rightRows) / (rightRows + l2)));
      if ((right - left) * sign < 0) continue;
      const score =
        scoreOf(leftSum, leftRows, left, shift, l2) + scoreOf(rightSum, rightRows, right, shift, l2);
      if (score <= best) continue;
      best = score;
      const missingLeft = missing > 0 ? side === 1 : 2 * leftRows >= rows;
      found = { feature, bin, missingLeft: missingLeft ? 1 : 0, gain: score - own, leftSum, leftRows };
    }
  }
  return found;
}
