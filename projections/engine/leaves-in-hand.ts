import { START } from '../../domain/fact.js';
import { leafId, rootId, storedLeaves, type Leaf, type Leaves, type Root } from './leaves.js';
import type { ReadModels, Stored } from './read-models.js';

/** Where the last leaf of a tree begins, and the position of the fact since which it is the last. */
type Tail = { readonly from: number; readonly since: number };

/** The leaves of trees that a page of facts has read or made so far, before the store holds what is new. */
export class LeavesInHand {
  /** By id; null: there is none. */
  readonly #held = new Map<string, Stored<Leaf> | null>();
  readonly #changed = new Set<string>();
  readonly #tails = new Map<string, Tail>();
  /** By tree, where the leaves begin that were made in this page, in order. */
  readonly #made = new Map<string, readonly number[]>();

  constructor(
    private readonly models: ReadModels,
    private readonly stored: string,
  ) {}

  get size(): number {
    return this.#held.size;
  }

  /** Reads what most facts need, all at once: the last leaf of each tree. */
  async prepare(trees: ReadonlySet<string>): Promise<void> {
    if (trees.size === 0) return;
    const roots = await this.models.load<Root>(this.stored, [...trees].map(rootId));
    for (const { tree, tail: from, _at: since } of roots.values()) this.#tails.set(tree, { from, since });
    const ids = [...this.#tails].map(([tree, { from }]) => leafId(tree, from));
    const tails = await this.models.load<Leaf>(this.stored, ids);
    for (const id of ids) this.#held.set(id, tails.get(id) ?? null);
  }

  put(leaf: Stored<Leaf>): void {
    this.#held.set(leaf._id, leaf);
    this.#changed.add(leaf._id);
  }

  /** Leaves that begin there were not in the tree before this page. */
  make(tree: string, froms: readonly number[]): void {
    this.#made.set(
      tree,
      [...(this.#made.get(tree) ?? []), ...froms].sort((a, b) => a - b),
    );
  }

  isNew({ tree, from }: Leaf): boolean {
    return this.#made.get(tree)?.includes(from) ?? false;
  }

  /** Leaves that are to be written, a later one before an earlier one. */
  changed(): Stored<Leaf>[] {
    return [...this.#changed].map(id => this.#held.get(id)!).sort((a, b) => b.from - a.from);
  }

  /** Of the tree that ended, none is left. */
  forget(tree: string): void {
    for (const [id, leaf] of this.#held) {
      if (leaf?.tree !== tree) continue;
      this.#held.delete(id);
      this.#changed.delete(id);
    }
  }

  tailOf(tree: string): Tail {
    return this.#tails.get(tree) ?? { from: NaN, since: START };
  }

  moveTail(tree: string, tail: Tail): void {
    this.#tails.set(tree, tail);
  }

  /** The leaves as they were before the fact at a position: those of this page, and those that are stored. */
  before(position: number): Leaves<Leaf> {
    const stored = storedLeaves<Leaf>(query =>
      this.models.find(this.stored, { ...query, where: { ...query.where, born: { lt: position } } }),
    );
    return {
      // Mostly the last leaf
      floor: async (tree, time) => {
        const tail = this.#tails.get(tree);
        const last = tail && tail.from <= time ? await this.#at(tree, tail.from) : null;
        if (last && last.born < position) return last;
        const made = this.#made.get(tree)?.findLast(from => from <= time) ?? -Infinity;
        const from = Math.max(made, (await stored.floor(tree, time))?.from ?? -Infinity);
        return from === -Infinity ? null : this.#at(tree, from);
      },
      next: async (tree, from) => {
        if (from === this.#tails.get(tree)?.from) return null;
        const made = this.#made.get(tree)?.find(other => other > from) ?? Infinity;
        const next = Math.min(made, (await stored.next(tree, from)) ?? Infinity);
        return next === Infinity ? null : next;
      },
    };
  }

  async #at(tree: string, from: number): Promise<Stored<Leaf> | null> {
    const id = leafId(tree, from);
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const found = (await this.models.load<Leaf>(this.stored, [id])).get(id) ?? null;
    this.#held.set(id, found);
    return found;
  }
}
