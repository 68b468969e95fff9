import { DAY, SECOND } from '../time.js';
import type { Fill } from './recipe.js';
import type { StateReader, StateWriter } from './saved.js';

/** After how many days things repeat that have a daily step, and a weekly one. */
const WEEK = 7;
const YEAR = 365.2425;

/**
 * After how many steps things usually repeat: a day, for steps of a day or more a week, then a year. Null
 * where none of them is two steps or more, or a day and a week are no whole number of them.
 */
export function usualSeason(stepS: number): number | null {
  const days = (stepS * SECOND) / DAY;
  const season = [1, WEEK].map(cycle => cycle / days).find(steps => steps >= 2 && Number.isInteger(steps));
  if (season !== undefined) return season;
  const year = Math.round(YEAR / days);
  return days >= 1 && year >= 2 ? year : null;
}

/** How far beyond a row one must look to fill it. */
export const lookAheadOf = ({ method, max_gap_steps: most }: Fill): number =>
  method === 'none' || method === 'ffill' ? 0 : most;

/**
 * Fills holes, block after block. `ffill` keeps the value before for the first steps of a gap; the others
 * fill gaps of at most `max_gap_steps` and leave longer ones: `linear` on a straight line between the values
 * on both sides, `seasonal` with the newest known value of the same place in the season before, `zero` with
 * 0. Before the first value only `zero` fills.
 */
export class Filler {
  #last = NaN;
  /** Holes since the last value. */
  #run = 0;
  /** Of the gap at work: how long it is, 0 where it is not filled; and the value after it. */
  #length = 0;
  #after = NaN;
  #place = 0;
  readonly #season: Float64Array;

  constructor(
    readonly fill: Fill,
    season: number | null,
  ) {
    this.#season = new Float64Array(fill.method === 'seasonal' ? (season ?? 1) : 0).fill(NaN);
  }

  /**
   * Fills the first `rows` of `raw`, of which `known` stand there: `lookAheadOf` more, or all that there are.
   */
  run(raw: Float64Array, known: number, rows: number, out: Float64Array): void {
    for (let i = 0; i < rows; i++) {
      const value = raw[i]!;
      const isHole = Number.isNaN(value);
      out[i] = isHole ? this.#filled(raw, i, known) : value;
      if (!isHole) {
        this.#last = value;
        this.#run = 0;
      }
      if (this.#season.length === 0) continue;
      if (!isHole) this.#season[this.#place] = value;
      this.#place = (this.#place + 1) % this.#season.length;
    }
  }

  save(state: StateWriter): void {
    state.put(this.#last, this.#run, this.#length, this.#after, this.#place);
    state.putAll(this.#season);
  }

  load(state: StateReader): void {
    this.#last = state.take();
    this.#run = state.take();
    this.#length = state.take();
    this.#after = state.take();
    this.#place = state.take();
    state.takeAll(this.#season);
  }

  #filled(raw: Float64Array, i: number, known: number): number {
    const { method, max_gap_steps: most } = this.fill;
    if (method === 'none') return NaN;
    const place = ++this.#run;
    if (method === 'ffill') return place <= most ? this.#last : NaN;
    if (place === 1) this.#measure(raw, i, known);
    if (this.#length === 0) return NaN;
    if (method === 'zero') return 0;
    if (method === 'seasonal') return this.#season[this.#place]!;
    const share = place / (this.#length + 1);
    // Between equal values it is that value, to the bit
    return this.#last + (this.#after - this.#last) * share;
  }

  /** Of the gap that begins at i. */
  #measure(raw: Float64Array, i: number, known: number): void {
    const furthest = Math.min(known, i + this.fill.max_gap_steps + 1);
    let end = i + 1;
    while (end < furthest && Number.isNaN(raw[end]!)) end++;
    this.#length = end - i <= this.fill.max_gap_steps ? end - i : 0;
    this.#after = end < known ? raw[end]! : NaN;
  }
}
