import type { Step } from '../series/grid.js';
import { periodsOf } from '../series/season.js';

/** A sine and cosine of one frequency, or (a column of half a period) a cosine alone. */
export type Harmonic = { readonly period: number; readonly order: number };

const FEWEST_PERIODS = 2;
/** Harmonics of the first period, those of further ones, and those of periods beyond `LONG` steps. */
const MOST = 12;
const MOST_FURTHER = 6;
const MOST_LONG = 5;
const LONG = 180;

/**
 * The harmonics that a series of n steps may have, a group for each period that is usual for its step and
 * that it holds at least twice, slow ones first; without those that a shorter period has already.
 */
export function harmonicsOf(n: number, step: Step): Harmonic[][] {
  const periods = periodsOf(step).filter(period => FEWEST_PERIODS * period <= n);
  return periods.map((period, i) => {
    const shorter = periods.slice(0, i);
    const isKnown = (order: number): boolean => shorter.some(p => (order * p) % period === 0);
    const orders = Array.from({ length: Math.floor(period / 2) }, (_, k) => k + 1);
    return orders
      .filter(order => !isKnown(order))
      .slice(0, mostOf(period, i))
      .map(order => ({ period, order }));
  });
}

function mostOf(period: number, place: number): number {
  if (period >= LONG) return MOST_LONG;
  return place === 0 ? MOST : MOST_FURTHER;
}

/** The columns of a harmonic over n steps. */
export function columnsOf({ period, order }: Harmonic, n: number): Float64Array[] {
  const wave = (of: (angle: number) => number): Float64Array => {
    const table = Float64Array.from({ length: period }, (_, k) => of((2 * Math.PI * k) / period));
    const column = new Float64Array(n);
    for (let t = 0, at = 0; t < n; t++) {
      column[t] = table[at]!;
      at += order;
      if (at >= period) at -= period;
    }
    return column;
  };
  return 2 * order === period ? [wave(Math.cos)] : [wave(Math.cos), wave(Math.sin)];
}
