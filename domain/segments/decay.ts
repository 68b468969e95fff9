import type { Series } from '../maths/series/series.js';
import { SECOND } from '../time.js';
import type { Reading } from './receipts.js';
import type { StateReader, StateWriter } from './saved.js';

/** After so many half-lives of less than 1e-19 nothing is left of an event. */
const FORGOTTEN = 64;

/** How far before a time events still count, in ms. */
export const memoryOf = (halfLifeS: number): number => FORGOTTEN * halfLifeS * SECOND;

/**
 * The sum of 2^(-age / half-life) over all events until a step's end, at that end. The sum is kept as it was
 * at one moment, which moves on by whole numbers of half-lives: powers of two cost nothing of its precision.
 */
export class Decay {
  #pages: AsyncIterator<Series> | null = null;
  #page: Series = { times: [], values: [] };
  #at = 0;
  /** So many of the page were told. */
  #told = 0;
  #isOver = false;
  #sum = 0;
  #moment: number;

  /** `eventsFrom`: events in order from a step on; for the first, from `memoryOf` before it on. */
  constructor(
    readonly eventsFrom: (begin: number) => AsyncIterable<Series>,
    readonly halfLife: number,
    first: number,
    /** Is told of what was used up. */
    readonly reading: () => Reading | null = () => null,
  ) {
    this.#moment = first;
  }

  async read(out: Float64Array, edges: Float64Array, rows: number): Promise<void> {
    this.#pages ??= this.eventsFrom(edges[0]!)[Symbol.asyncIterator]();
    for (let row = 0; row < rows; row++) {
      const end = edges[row + 1]!;
      while (this.#nextAt < end || (await this.#another(this.#pages, end))) {
        const time = this.#nextAt;
        this.#moveTo(time);
        this.#sum += 2 ** ((time - this.#moment) / this.halfLife);
        this.#at++;
      }
      this.#moveTo(end);
      out[row] = this.#sum * 2 ** ((this.#moment - end) / this.halfLife);
    }
    this.#tell();
  }

  async end(): Promise<void> {
    await this.#pages?.return?.();
  }

  save(state: StateWriter): void {
    state.put(this.#sum, this.#moment);
  }

  load(state: StateReader): void {
    this.#sum = state.take();
    this.#moment = state.take();
  }

  /** The time of the next event, NaN where its page was not read yet, Infinity after the last. */
  get #nextAt(): number {
    return this.#isOver ? Infinity : (this.#page.times[this.#at] ?? NaN);
  }

  /** Reads on where that is not known; whether the next event comes before `end`. */
  async #another(pages: AsyncIterator<Series>, end: number): Promise<boolean> {
    while (Number.isNaN(this.#nextAt)) {
      this.#tell();
      const { done, value } = await pages.next();
      this.#isOver = done === true;
      this.#page = done ? { times: [], values: [] } : value;
      this.#at = 0;
      this.#told = 0;
    }
    return this.#nextAt < end;
  }

  #tell(): void {
    this.reading()?.take(this.#page, this.#told, this.#at);
    this.#told = this.#at;
  }

  #moveTo(time: number): void {
    const halfLives = Math.floor((time - this.#moment) / this.halfLife);
    if (halfLives <= 0) return;
    this.#sum *= 2 ** -halfLives;
    this.#moment += halfLives * this.halfLife;
  }
}
