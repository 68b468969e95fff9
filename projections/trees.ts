import { EARLIEST } from '../domain/time.js';
import type { Fact, Message } from '../domain/fact.js';
import { leafId, leavesFor, rootId, storedLeaves, wholeTree, type Leaf, type Leaves, type Root } from './leaves.js';
import type { Commit, ReadModels, Stored } from './read-models.js';

/** What stands in a leaf, besides its place in the tree. */
export type Body<L extends Leaf> = Omit<L, keyof Leaf>;
/** What becomes of a leaf: what stays in it (null: all of it, as it is), and what goes into new ones behind it, in order. */
export type Divided<L extends Leaf> = {
  readonly stays: Body<L> | null; readonly goes: readonly { readonly from: number; readonly body: Body<L> }[];
};
/** The part of a fact's times that lies in one leaf: indexes; and where the leaf behind it begins (null: it is the last). */
export type Part = { readonly start: number; readonly end: number; readonly next: number | null };

/** A collection of leaves as data: where a fact lands, and what it makes of each leaf there. */
export type Trees<L extends Leaf = Leaf, E extends Message = Message> = {
  /** Short name of the collection; it needs no index and lands nowhere by itself (`idOf` null). */
  readonly collection: string;
  /** The tree that a fact touches; null: none. */
  readonly treeOf: (fact: Fact<E>) => string | null;
  /** The times in its tree that it touches, strictly increasing. */
  readonly timesOf: (fact: Fact<E>) => readonly number[];
  /** The tree that ends with a fact, with all that was in it; null: none. */
  readonly endOf: (fact: Fact<E>) => string | null;
  /** `leaf` null: the first of a tree. */
  readonly evolve: (leaf: L | null, fact: Fact<E>, part: Part) => Divided<L>;
};

type Change = Commit['changes'][number];

/** So many leaves are in hand at most: a page that touches more is written in steps. */
const MOST_LEAVES = 2_000;

/** The leaves that a page of facts touches, while it is applied. */
export class TreePage {
  /** What is in hand, by id (null: there is none), and what of it is changed. */
  readonly #held = new Map<string, Stored<Leaf> | null>();
  readonly #changed = new Set<string>();
  /** By tree: where its last leaf begins, where those made in this page begin, and the position at which it was swept. */
  readonly #tails = new Map<string, number>();
  readonly #made = new Map<string, number[]>();
  readonly #swept = new Map<string, number>();
  readonly #roots = new Map<string, Stored<Root>>();
  readonly #stored: Leaves<Leaf>;
  readonly #here: Leaves<Leaf>;

  constructor(private readonly trees: Trees, private readonly models: ReadModels, private readonly stored: string) {
    this.#stored = storedLeaves(query => models.find(stored, query));
    this.#here = { floor: (tree, time) => this.#floor(tree, time), next: (tree, from) => this.#next(tree, from) };
  }

  /** Reads what most facts need, all at once: the last leaf of each tree. */
  async prepare(page: readonly Fact[]): Promise<void> {
    const trees = new Set(page.map(this.trees.treeOf).filter(tree => tree !== null));
    if (trees.size === 0) return;
    const roots = await this.models.load<Root>(this.stored, [...trees].map(rootId));
    for (const { tree, tail } of roots.values()) this.#tails.set(tree, tail);
    const ids = [...this.#tails].map(([tree, tail]) => leafId(tree, tail));
    const tails = await this.models.load<Leaf>(this.stored, ids);
    for (const id of ids) this.#held.set(id, tails.get(id) ?? null);
  }

  /** Facts come in order. Answers whether there is room for more. */
  async land(fact: Fact): Promise<boolean> {
    const ends = this.trees.endOf(fact), tree = this.trees.treeOf(fact);
    if (ends !== null) this.#sweep(ends, fact.position);
    if (tree === null) return true;
    for await (const { leaf, ...part } of leavesFor(this.#here, tree, this.trees.timesOf(fact))) {
      if (!leaf || leaf._at < fact.position) this.#divide(tree, leaf, fact, part, this.trees.evolve(leaf, fact, part));
    }
    return this.#held.size < MOST_LEAVES;
  }

  /** For the trees that ended. */
  sweeps(): Commit['sweeps'] {
    return [...this.#swept].map(([tree, before]) => ({ collection: this.stored, where: wholeTree(tree), before }));
  }

  #sweep(tree: string, position: number): void {
    for (const [id, leaf] of this.#held) {
      if (leaf?.tree !== tree || leaf._at >= position) continue;
      this.#held.set(id, null);
      this.#changed.delete(id);
    }
    for (const places of [this.#tails, this.#made, this.#roots]) places.delete(tree);
    this.#swept.set(tree, position);
  }

  /**
   * A later leaf before an earlier one, for what leaves a leaf must be in its new place first; roots between what is new and what
   * was there, for a root that says too little would hide what is new.
   */
  changes(): Change[] {
    const changed = [...this.#changed].map(id => this.#held.get(id)!).sort((a, b) => b.from - a.from);
    const isNew = ({ tree, from }: Leaf): boolean => this.#made.get(tree)?.includes(from) ?? false;
    return [changed.filter(isNew), [...this.#roots.values()], changed.filter(leaf => !isNew(leaf))]
      .filter(put => put.length > 0).map(put => ({ collection: this.stored, put, remove: [] }));
  }

  #divide(tree: string, leaf: Stored<Leaf> | null, { position }: Fact, { next }: Part, { stays, goes }: Divided<Leaf>): void {
    const first = leaf?.from ?? EARLIEST;
    if (stays) this.#put({ _id: leafId(tree, first), _at: position, tree, from: first, ...stays });
    for (const { from, body } of goes) this.#put({ _id: leafId(tree, from), _at: position, tree, from, ...body });
    const made = this.#made.get(tree) ?? [];
    this.#made.set(tree, [...made, ...leaf ? [] : [first], ...goes.map(({ from }) => from)].sort((a, b) => a - b));
    const tail = goes.at(-1)?.from ?? first;
    if (next !== null || tail === this.#tails.get(tree)) return;
    this.#tails.set(tree, tail);
    this.#roots.set(tree, { _id: rootId(tree), _at: position, tree, from: null, tail });
  }

  #put(leaf: Stored<Leaf>): void {
    this.#held.set(leaf._id, leaf);
    this.#changed.add(leaf._id);
  }

  async #at(tree: string, from: number): Promise<Stored<Leaf> | null> {
    const id = leafId(tree, from), held = this.#held.get(id);
    if (held !== undefined) return held;
    const found = (await this.models.load<Leaf>(this.stored, [id])).get(id) ?? null;
    this.#held.set(id, found);
    return found;
  }

  /** Mostly the last leaf; else one of this page, or one that is stored. */
  async #floor(tree: string, time: number): Promise<Stored<Leaf> | null> {
    const tail = this.#tails.get(tree);
    if (tail !== undefined && tail <= time) {
      const last = await this.#at(tree, tail);
      if (last) return last;
    }
    const made = this.#made.get(tree)?.findLast(from => from <= time) ?? -Infinity;
    const stored = this.#swept.has(tree) ? null : await this.#stored.floor(tree, time);
    const from = Math.max(made, stored?.from ?? -Infinity);
    return from === -Infinity ? null : this.#at(tree, from);
  }

  async #next(tree: string, from: number): Promise<number | null> {
    if (from === this.#tails.get(tree)) return null;
    const made = this.#made.get(tree)?.find(other => other > from) ?? Infinity;
    const stored = this.#swept.has(tree) ? null : await this.#stored.next(tree, from);
    const next = Math.min(made, stored ?? Infinity);
    return next === Infinity ? null : next;
  }
}
