import type { Fact } from '../../domain/fact.js';

const MOST_FACTS = 8_192;
const MOST_LETTERS = 16 * 1024 * 1024;

/**
 * The most recent facts, so that whoever pages at the head needs neither the disk nor a parse. Positions in
 * it follow one another without a gap.
 */
export class Tail {
  #facts: Fact[] = [];
  #letters: number[] = [];
  #sum = 0;

  /** `letters`: how long the JSON text of the fact is. */
  push(fact: Fact, letters: number): void {
    this.#facts.push(fact);
    this.#letters.push(letters);
    this.#sum += letters;
    if (this.#facts.length > 2 * MOST_FACTS || this.#sum > 2 * MOST_LETTERS) this.#shorten();
  }

  /** As `EventStore.page`; null when the tail does not reach back that far. */
  page(after: number, limit: number): Fact[] | null {
    const first = this.#facts[0]?.position;
    if (first === undefined || after < first - 1) return null;
    return this.#facts.slice(after - first + 1, after - first + 1 + limit);
  }

  /** Drops the older half or more, so that dropping costs little for each fact. */
  #shorten(): void {
    let from = Math.max(0, this.#facts.length - MOST_FACTS);
    for (let i = 0; i < from; i++) this.#sum -= this.#letters[i]!;
    while (this.#sum > MOST_LETTERS) this.#sum -= this.#letters[from++]!;
    this.#facts = this.#facts.slice(from);
    this.#letters = this.#letters.slice(from);
  }
}
