import type { Series } from '../maths/series/series.js';
import type { Reading } from './receipts.js';
import type { Aggregate } from './recipe.js';

/** What quality wants to know of the points of steps. */
export type Counts = { singles: number; several: number; further: number };

/**
 * Reads points step by step: the aggregate of those in each step, NaN where there is none or where it is not
 * finite. Sums are compensated (Neumaier 1974), so that they do not depend on how large others were before.
 */
export class StepReader {
  readonly #pages: AsyncIterator<Series>;
  #page: Series = { times: [], values: [] };
  #at = 0;
  #isOver = false;

  /** Points count `lag` ms after their times. */
  constructor(
    pages: AsyncIterable<Series>,
    readonly aggregate: Aggregate,
    readonly lag: number,
    readonly counts: Counts,
    /** What stands for a step without points. */
    readonly empty = NaN,
    /** Is told of what was used up. */
    readonly reading: Reading | null = null,
  ) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** Values of the steps `from` to `to` (not included) of these edges, written to the same places. */
  async read(out: Float64Array, edges: Float64Array, from: number, to: number): Promise<void> {
    for (let step = from; step < to; ) {
      const first = this.#at;
      step = this.#within(out, edges, step, to);
      this.reading?.take(this.#page, first, this.#at);
      if (step === to) return;
      if (this.#isOver) return void this.#close(out, step, to);
      await this.#nextPage();
    }
  }

  /** Stops reading: the source may let go of what it holds. */
  async end(): Promise<void> {
    await this.#pages.return?.();
  }

  #count = 0;
  #sum = 0;
  #lost = 0;
  #low = Infinity;
  #high = -Infinity;
  #last = NaN;

  /** Takes what this page has; answers the step at which it needs another, or `to`. */
  #within(out: Float64Array, edges: Float64Array, from: number, to: number): number {
    const { times, values } = this.#page;
    const { lag } = this;
    let step = from;
    let end = edges[step + 1]!;
    for (let i = this.#at; i < times.length; i++) {
      while (times[i]! + lag >= end) {
        out[step++] = this.#finish();
        if (step === to) {
          this.#at = i;
          return step;
        }
        end = edges[step + 1]!;
      }
      this.#add(values[i]!);
    }
    this.#at = times.length;
    return step;
  }

  #close(out: Float64Array, from: number, to: number): void {
    for (let step = from; step < to; step++) out[step] = this.#finish();
  }

  async #nextPage(): Promise<void> {
    const { done, value } = await this.#pages.next();
    this.#isOver = done === true;
    this.#page = done ? { times: [], values: [] } : value;
    this.#at = 0;
  }

  #add(value: number): void {
    if (Number.isNaN(value)) return;
    this.#count++;
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
    if (value < this.#low) this.#low = value;
    if (value > this.#high) this.#high = value;
    this.#last = value;
  }

  #finish(): number {
    const count = this.#count;
    if (count === 0) return this.empty;
    if (count === 1) this.counts.singles++;
    else {
      this.counts.several++;
      this.counts.further += count - 1;
    }
    const value = this.#value();
    this.#count = 0;
    this.#sum = 0;
    this.#lost = 0;
    this.#low = Infinity;
    this.#high = -Infinity;
    return Number.isFinite(value) ? value : NaN;
  }

  #value(): number {
    if (this.aggregate === 'last') return this.#last;
    if (this.aggregate === 'min') return this.#low;
    if (this.aggregate === 'max') return this.#high;
    const sum = this.#sum + this.#lost;
    return this.aggregate === 'sum' ? sum : sum / this.#count;
  }
}
