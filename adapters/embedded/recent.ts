import type { Stored } from '../../projections/engine/read-models.js';

/** So many documents of a collection, and so much of their JSON, stay in memory. */
const MOST_DOCUMENTS = 1_000;
const MOST_LETTERS = 4 * 1024 * 1024;

/**
 * The documents of a collection that were written or read last (null: removed), those that were not asked for
 * the longest out first.
 */
export class Recent {
  readonly #docs = new Map<string, { readonly doc: Stored | null; readonly letters: number }>();
  #letters = 0;

  /** Undefined: not known here. */
  get(id: string): Stored | null | undefined {
    const found = this.#docs.get(id);
    if (found && this.#docs.delete(id)) this.#docs.set(id, found);
    return found?.doc;
  }

  /** `letters`: how long its JSON text is. */
  put(id: string, doc: Stored | null, letters: number): void {
    this.#drop(id);
    this.#docs.set(id, { doc, letters });
    this.#letters += letters;
    for (const oldest of this.#docs.keys()) {
      if (this.#docs.size <= MOST_DOCUMENTS && this.#letters <= MOST_LETTERS) break;
      this.#drop(oldest);
    }
  }

  clear(): void {
    this.#docs.clear();
    this.#letters = 0;
  }

  #drop(id: string): void {
    this.#letters -= this.#docs.get(id)?.letters ?? 0;
    this.#docs.delete(id);
  }
}
