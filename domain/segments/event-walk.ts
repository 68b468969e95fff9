import type { Series } from '../maths/series/series.js';
import type { Reading } from './receipts.js';

/** Events one after the other, in order of time; what was passed is told to a reading. */
export class EventWalk {
  readonly #pages: AsyncIterator<Series>;
  #page: Series = { times: [], values: [] };
  #at = 0;
  /** So many of the page were told. */
  #told = 0;
  #isOver = false;
  /** Events after it are not reached yet. */
  until = Infinity;

  constructor(
    pages: AsyncIterable<Series>,
    readonly reading: Reading | null,
  ) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The time of the next event, NaN where its page was not read yet, Infinity after the last of now. */
  get time(): number {
    const time = this.#isOver ? Infinity : (this.#page.times[this.#at] ?? NaN);
    return time > this.until ? Infinity : time;
  }

  get value(): number {
    return this.#page.values[this.#at]!;
  }

  pass(): void {
    this.#at++;
  }

  /** Reads on where the next time is not known; whether it comes before `end`. */
  async another(end: number): Promise<boolean> {
    while (Number.isNaN(this.time)) {
      this.tell();
      const { done, value } = await this.#pages.next();
      this.#isOver = done === true;
      this.#page = done ? { times: [], values: [] } : value;
      this.#at = 0;
      this.#told = 0;
    }
    return this.time < end;
  }

  tell(): void {
    this.reading?.take(this.#page, this.#told, this.#at);
    this.#told = this.#at;
  }

  async end(): Promise<void> {
    await this.#pages.return?.();
  }
}
