import type { Fact } from '../../domain/fact.js';

const MOST_FACTS = 2_048;
const MOST_LETTERS = 8 * 1024 * 1024;

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
  #recent: Fact[] = [];
  /** The position behind which the recent facts begin. */
  #behind = Number.POSITIVE_INFINITY;
  #letters: number[] = [];
  #sum = 0;

  constructor(read: Page) {
    this.#read = read;
  }

  /** As `EventStore.page`; may hold fewer facts than there are. */
  async page(after: number, limit: number): Promise<Fact[]> {
    const asked = ++this.#moments;
    for (;;) {
      const kept = this.#kept(after, limit);
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

  #kept(after: number, limit: number): Fact[] {
    if (after < this.#behind || after >= this.#end()) return [];
    const first = this.#recent.findLastIndex(({ position }) => position <= after) + 1;
    return this.#recent.slice(first, first + limit);
  }

  /** Facts that follow what is kept are added to it; those behind it take its place, for there is a gap. */
  #keep(after: number, facts: Fact[]): void {
    if (facts.length === 0 || facts.at(-1)!.position <= this.#end()) return;
    if (after > this.#end() || this.#recent.length === 0) this.#restart(after);
    for (const fact of facts)
      if (fact.position > this.#end()) {
        this.#recent.push(fact);
        const letters = JSON.stringify(fact.data).length;
        this.#letters.push(letters);
        this.#sum += letters;
      }
    if (this.#recent.length > 2 * MOST_FACTS || this.#sum > 2 * MOST_LETTERS) this.#shorten();
  }

  /** Drops the older half or more, so that dropping costs little for each fact. */
  #shorten(): void {
    let from = Math.max(0, this.#recent.length - MOST_FACTS);
    for (let i = 0; i < from; i++) this.#sum -= this.#letters[i]!;
    while (this.#sum > MOST_LETTERS) this.#sum -= this.#letters[from++]!;
    if (from > 0) this.#behind = this.#recent[from - 1]!.position;
    this.#recent = this.#recent.slice(from);
    this.#letters = this.#letters.slice(from);
  }

  #restart(behind: number): void {
    this.#recent = [];
    this.#letters = [];
    this.#sum = 0;
    this.#behind = behind;
  }

  #end(): number {
    return this.#recent.at(-1)?.position ?? Number.NEGATIVE_INFINITY;
  }
}
