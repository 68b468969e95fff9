import { shareTail } from '../statistics/distributions.js';
import { logBeta } from '../statistics/special.js';
import { residualDegrees } from './granger.js';
import type { PairTable } from './pair-table.js';

/** The F tests of one pair, by lag from 1 on. */
export type LagTests = {
  readonly f: readonly number[];
  readonly p: readonly number[];
  /** The place of the smallest p, the first of equals. */
  readonly best: number;
  /** Partial R^2 there. */
  readonly strength: number;
  /** Whether a fit left nothing but rounding. */
  readonly perfect: boolean;
};

/** A share of the effect this small is lost in the rounding of a regression. */
const PERFECT = 1e-15;

/** How to read the tests of a table: null for a pair of which nothing could be tested. */
export function lagTestsOf(table: PairTable): (pair: number) => LagTests | null {
  const { maxLag, rows, share, rest } = table;
  const degrees = Array.from({ length: maxLag }, (_, i) => residualDegrees(rows, i + 1));
  const lnBeta = degrees.map((d, i) => logBeta(d / 2, (i + 1) / 2));
  return pair => {
    const tested = table.tested[pair]!;
    if (tested === 0) return null;
    const first = pair * maxLag;
    const lags = Array.from({ length: tested }, (_, i) => i);
    const f = lags.map(i => ((share[first + i]! / rest[first + i]!) * degrees[i]!) / (i + 1));
    const p = lags.map(i => shareTail(share[first + i]!, rest[first + i]!, i + 1, degrees[i]!, lnBeta[i]));
    const best = p.reduce((least, value, i) => (value < p[least]! ? i : least), 0);
    const perfect = lags.some(i => rest[first + i]! < PERFECT);
    return { f, p, best, strength: share[first + best]!, perfect };
  };
}
