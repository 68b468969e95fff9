import { START, type Fact } from '../domain/fact.js';

const MOST_FACTS = 8_192;
const MOST_LETTERS = 16 * 1024 * 1024;

/**
 * The most recent facts, so that whoever pages at the head asks no store. No fact of the log is missing
 * between them; their positions may have gaps.
 */
export class Tail {
  #facts: Fact[] = [];
  #letters: number[] = [];
  #sum = 0;
  /** The position behind which they begin. */
  #behind: number;

  constructor(behind = START) {
    this.#behind = behind;
  }

  /** Position of the last one, or where it begins. */
  get end(): number {
    return this.#facts.at(-1)?.position ?? this.#behind;
  }

  /** `letters`: how long the JSON text of the fact is. */
  push(fact: Fact, letters: number): void {
    this.#facts.push(fact);
    this.#letters.push(letters);
    this.#sum += letters;
    if (this.#facts.length > 2 * MOST_FACTS || this.#sum > 2 * MOST_LETTERS) this.#shorten();
  }

  /** As `EventStore.page`; null when the tail does not reach back that far. */
  page(after: number, limit: number): Fact[] | null {
    if (this.#facts.length === 0 || after < this.#behind) return null;
    const first = this.#facts.findLastIndex(({ position }) => position <= after) + 1;
    return this.#facts.slice(first, first + limit);
  }

  /** Drops the older half or more, so that dropping costs little for each fact. */
  #shorten(): void {
    let from = Math.max(0, this.#facts.length - MOST_FACTS);
    for (let i = 0; i < from; i++) this.#sum -= this.#letters[i]!;
    while (this.#sum > MOST_LETTERS) this.#sum -= this.#letters[from++]!;
    if (from > 0) this.#behind = this.#facts[from - 1]!.position;
    this.#facts = this.#facts.slice(from);
    this.#letters = this.#letters.slice(from);
  }
}
