import { seeded } from '../seeded.js';
import type { Frame } from './frame.js';
import { PLACEBOS, shiftsOf } from './placebos.js';
import { shortestPeriod } from './reference.js';

/** What signals are tested by. */
export type LagPlan = {
  /** Steps from the signal to the target, 1 to this. */
  readonly maxLag: number;
  /** Errors of the target before each step that are taken out. */
  readonly ownPast: number;
  readonly shifts: Int32Array;
  /** How many candidates there are, of all kinds. */
  readonly tests: number;
};

export type Asked = { readonly horizon: number; readonly maxLag: number | null; readonly seed: number };

/** A signal's past reaches back so far by default: the horizon, within these, and a tenth of the steps. */
const LAGS = { least: 8, most: 48, share: 0.1 };
/** So many more errors of the target's own past are taken out than lags are looked at. */
const MORE_OWN_PAST = 4;
/** Shifts of signals are drawn apart from those of streams. */
const OWN_SEED = 0x51e6a15;

/** Shifts are so long that no lag of a shifted signal is a lag of it as it is. */
export function planOf(
  { n, reference }: Frame,
  { horizon, maxLag: wanted, seed }: Asked,
  tests: number,
): LagPlan {
  const usual = Math.max(LAGS.least, Math.min(LAGS.most, horizon));
  const maxLag = Math.max(1, Math.min(wanted ?? usual, Math.floor(LAGS.share * n)));
  const nearest = Math.min(Math.floor(n / 4), 3 * maxLag + 10);
  const random = seeded((seed ^ OWN_SEED) >>> 0);
  const shifts = shiftsOf(n, shortestPeriod(reference), PLACEBOS, random, nearest);
  return { maxLag, ownPast: Math.min(maxLag + MORE_OWN_PAST, Math.floor(n / 20)), shifts, tests };
}
