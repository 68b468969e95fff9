import type { Fact } from '../../domain/fact.js';
import { Tail } from '../tail.js';

type Page = (after: number, limit: number) => Promise<Fact[]>;
/** `began`: counts calls and reads, in their order. */
type Reading = { readonly limit: number; readonly began: number; readonly facts: Promise<Fact[]> };

/**
 * Pages for those who follow the log in one process: dozens ask for the same facts whenever there are some.
 * One of them reads, the others have what it read. The most recent facts are kept, without a gap between
 * them; a page of them holds for ever, for nothing is ever written in between. That there is nothing more is
 * believed only of a read that began after it was asked.
 */
export class SharedPages {
  readonly #read: Page;
  readonly #underWay = new Map<number, Reading>();
  #moments = 0;
  #recent = new Tail();

  constructor(read: Page) {
    this.#read = read;
  }

  /** As `EventStore.page`; may hold fewer facts than there are. */
  async page(after: number, limit: number): Promise<Fact[]> {
    const asked = ++this.#moments;
    for (;;) {
      const kept = this.#recent.page(after, limit) ?? [];
      if (kept.length > 0) return kept;
      const known = this.#underWay.get(after);
      const reading = known && known.limit >= limit ? known : this.#begin(after, limit);
      const facts = await reading.facts;
      if (facts.length > 0 || reading.began > asked) return facts.slice(0, limit);
    }
  }

  #begin(after: number, limit: number): Reading {
    const over = (): void => {
      if (this.#underWay.get(after) === reading) this.#underWay.delete(after);
    };
    const facts = this.#read(after, limit)
      .finally(over)
      .then(page => {
        this.#keep(after, page);
        return page;
      });
    const reading = { limit, began: ++this.#moments, facts };
    this.#underWay.set(after, reading);
    return reading;
  }

  /** Facts that follow what is kept are added to it; those behind it take its place, for there is a gap. */
  #keep(after: number, facts: readonly Fact[]): void {
    if (facts.length > 0 && after > this.#recent.end) this.#recent = new Tail(after);
    for (const fact of facts)
      if (fact.position > this.#recent.end) this.#recent.push(fact, JSON.stringify(fact.data).length);
  }
}
