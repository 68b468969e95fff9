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
    const f: number[] = [];
    const p: number[] = [];
    if (tested === 0) return null;
    let best = 0;
    let perfect = false;
    for (let i = 0; i < tested; i++) {
      const x = share[pair * maxLag + i]!;
      const y = rest[pair * maxLag + i]!;
      const d = degrees[i]!;
      f.push(((x / y) * d) / (i + 1));
      p.push(shareTail(x, y, i + 1, d, lnBeta[i]));
      if (p[i]! < p[best]!) best = i;
      if (y < PERFECT) perfect = true;
    }
    return { f, p, best, strength: share[pair * maxLag + best]!, perfect };
  };
}
