import { shareTail } from '../statistics/distributions.js';
import type { Standard } from '../statistics/series.js';
import { longestLag, pairTable } from './granger.js';
import type { PairTable } from './pair-table.js';

/** No longer lag is tried. */
const LONGEST = 15;
/** How likely it is that noise gets more than lag 1, at most. */
const RISK = 0.01;

/**
 * The longest lag to test when nobody has said it: the longest that any pair of variables clearly needs, at
 * least 1.
 *
 * Candidates are the lags up to 15 that leave a window (all rows, when there is no whole one) twice as many
 * observations as coefficients: rows - lag >= 2 (2 lag + 1). For each pair, all lags on the same rows, a
 * longer lag takes the place of a shorter one when it lowers Schwarz's criterion (1978) of the unrestricted
 * regression, n ln RSS + (2 lag + 1) ln n, and the F test of what it adds has a p below 0.01 divided by the
 * number of all such comparisons (Bonferroni). So noise gets 1, and one strong late relationship among
 * thousands of pairs is enough for more.
 */
export function chosenMaxLag(
  variables: readonly (Standard | null)[],
  rows: number,
  windowRows: number,
): number {
  const most = Math.min(LONGEST, Math.floor((windowRows - 2) / 5), longestLag(rows));
  if (most <= 1) return Math.min(1, longestLag(rows));
  const table = pairTable(variables, { from: 0, rows }, most, true);
  const comparisons = table.tested.reduce((sum, lags) => sum + Math.max(0, lags - 1), 0);
  let longest = 1;
  for (let pair = 0; pair < table.tested.length; pair++)
    longest = Math.max(longest, neededLag(table, pair, RISK / comparisons));
  return longest;
}

function neededLag({ tested, rss, rows, maxLag }: PairTable, pair: number, level: number): number {
  const n = rows - maxLag;
  let taken = 1;
  for (let lag = 2; lag <= tested[pair]!; lag++) {
    const rest = rss[pair * maxLag + lag - 1]! / rss[pair * maxLag + taken - 1]!;
    const added = 2 * (lag - taken);
    if (n * Math.log(rest) + added * Math.log(n) >= 0) continue;
    if (shareTail(Math.max(0, 1 - rest), rest, added, n - 2 * lag - 1) < level) taken = lag;
  }
  return taken;
}
