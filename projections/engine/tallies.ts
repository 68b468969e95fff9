import type { Fact } from '../../domain/fact.js';
import type { Commit, Doc, ReadModels, Stored } from './read-models.js';

/**
 * How many documents of another collection there are of one sort, by kind. One that counts none any more
 * stays for its `_at`.
 */
export type Tally = Doc & { readonly count: number; readonly kinds: Readonly<Record<string, number>> };
/** Where a document counts: in which tally, as which kind; `about`: what the tally says of itself. */
export type Place = {
  readonly id: string;
  readonly kind: string;
  readonly about: Readonly<Record<string, string>>;
};

/**
 * A collection of tallies as data: each document of the collection `of` counts in one of them, and moves when
 * its place changes.
 */
export type Tallies<D extends Doc = Doc> = {
  /** Short name of the collection; it lands nowhere by itself (`idOf` null). */
  readonly collection: string;
  readonly of: string;
  readonly placeOf: (counted: D) => Place;
};

/** The tallies that a page of facts touches, while it is applied. They are written before what they count. */
export class TallyPage {
  readonly #held = new Map<string, Stored<Tally> | null>();
  readonly #changed = new Set<string>();

  constructor(
    private readonly tallies: Tallies,
    private readonly models: ReadModels,
    private readonly stored: string,
  ) {}

  /** A fact made one document into another; null: it came, or it went. */
  async land({ position }: Fact, was: Doc | null, is: Doc | null): Promise<void> {
    const from = was && this.tallies.placeOf(was);
    const to = is && this.tallies.placeOf(is);
    if (from?.id === to?.id && from?.kind === to?.kind) return;
    for (const id of new Set([from, to].flatMap(place => place?.id ?? []))) {
      const held = await this.#at(id);
      if (held && held._at >= position) continue;
      const without = from?.id === id ? counted(held, from, -1) : held;
      this.#held.set(id, { _at: position, ...(to?.id === id ? counted(without, to, 1) : without!) });
      this.#changed.add(id);
    }
  }

  changes(): Commit['changes'] {
    const put = [...this.#changed].map(id => this.#held.get(id)!);
    return put.length > 0 ? [{ collection: this.stored, put, remove: [] }] : [];
  }

  async #at(id: string): Promise<Stored<Tally> | null> {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const found = (await this.models.load<Tally>(this.stored, [id])).get(id) ?? null;
    this.#held.set(id, found);
    return found;
  }
}

function counted(tally: Tally | null, { id, kind, about }: Place, by: 1 | -1): Tally {
  return {
    _id: id,
    ...about,
    count: (tally?.count ?? 0) + by,
    kinds: { ...tally?.kinds, [kind]: (tally?.kinds[kind] ?? 0) + by },
  };
}
