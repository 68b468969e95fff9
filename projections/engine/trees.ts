import { EARLIEST } from '../../domain/time.js';
import { START, type Fact, type Message } from '../../domain/fact.js';
import {
  leafId,
  leavesFor,
  rootId,
  storedLeaves,
  wholeTree,
  type Leaf,
  type Leaves,
  type Root,
} from './leaves.js';
import type { Commit, ReadModels, Stored } from './read-models.js';

/** What stands in a leaf, besides its place in the tree. */
export type Body<L extends Leaf> = Omit<L, keyof Leaf>;
/**
 * What becomes of a leaf: what stays in it (null: all of it, as it is), and what goes into new ones behind
 * it, in order.
 */
export type Divided<L extends Leaf> = {
  readonly stays: Body<L> | null;
  readonly goes: readonly { readonly from: number; readonly body: Body<L> }[];
};
/**
 * The part of a fact's times that lies in one leaf: indexes; and where the leaf behind it begins (null: it is
 * the last).
 */
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
  /**
   * So many leaves are in hand at most, or those of one fact: a page that touches more is written in steps.
   */
  readonly mostLeaves: number;
  /** `leaf` null: the first of a tree. */
  readonly evolve: (leaf: L | null, fact: Fact<E>, part: Part) => Divided<L>;
  /**
   * A collection of what each leaf is in short, under the leaf's id; it needs no index and lands nowhere by
   * itself.
   */
  readonly sketches: { readonly collection: string; readonly of: (leaf: L) => object };
};

type Change = Commit['changes'][number];
type Tail = { readonly from: number; readonly since: number };

/** A page up to where a tree that has ended in it begins anew: what was in it must be gone first. */
export function withoutRebirths(trees: Trees, page: readonly Fact[]): readonly Fact[] {
  const ended = new Set<string>();
  const end = page.findIndex(fact => {
    const ends = trees.endOf(fact);
    if (ends !== null) ended.add(ends);
    return ended.has(trees.treeOf(fact) ?? '');
  });
  return end === -1 ? page : page.slice(0, end);
}

/**
 * The leaves that a page of facts touches, while it is applied.
 *
 * A crash may leave new leaves in the store that were divided from ones which are still as they were. Facts
 * that come again see each tree as it was before them: no leaf that was born later. So they divide it where
 * they did the first time.
 */
export class TreePage {
  /** What is in hand, by id (null: there is none), and what of it is changed. */
  readonly #held = new Map<string, Stored<Leaf> | null>();
  readonly #changed = new Set<string>();
  /**
   * By tree: where its last leaf begins and since when, where those made in this page begin, and the position
   * at which it ended.
   */
  readonly #tails = new Map<string, Tail>();
  readonly #made = new Map<string, number[]>();
  readonly #ended = new Map<string, number>();
  readonly #roots = new Map<string, Stored<Root>>();

  constructor(
    private readonly trees: Trees,
    private readonly models: ReadModels,
    private readonly stored: string,
    private readonly sketched: string,
  ) {}

  /** Reads what most facts need, all at once: the last leaf of each tree. */
  async prepare(page: readonly Fact[]): Promise<void> {
    const trees = new Set(page.map(this.trees.treeOf).filter(tree => tree !== null));
    if (trees.size === 0) return;
    const roots = await this.models.load<Root>(this.stored, [...trees].map(rootId));
    for (const { tree, tail: from, _at: since } of roots.values()) this.#tails.set(tree, { from, since });
    const ids = [...this.#tails].map(([tree, { from }]) => leafId(tree, from));
    const tails = await this.models.load<Leaf>(this.stored, ids);
    for (const id of ids) this.#held.set(id, tails.get(id) ?? null);
  }

  /** Facts come in order. Answers whether there is room for more. */
  async land(fact: Fact): Promise<boolean> {
    const ends = this.trees.endOf(fact);
    const tree = this.trees.treeOf(fact);
    if (ends !== null) this.#end(ends, fact.position);
    if (tree === null) return true;
    for await (const { leaf, ...part } of leavesFor(
      this.#before(fact.position),
      tree,
      this.trees.timesOf(fact),
    )) {
      if (leaf && leaf._at >= fact.position) continue;
      const divided = this.trees.evolve(leaf, fact, part);
      if ((leaf && divided.stays) || !this.#isDone(tree, fact)) this.#divide(tree, leaf, fact, part, divided);
    }
    return this.#held.size < this.trees.mostLeaves;
  }

  /** For the trees that ended. */
  sweeps(): Commit['sweeps'] {
    return [...this.#ended].flatMap(([tree, before]) =>
      [this.stored, this.sketched].map(collection => ({ collection, where: wholeTree(tree), before })),
    );
  }

  #end(tree: string, position: number): void {
    for (const [id, leaf] of this.#held) {
      if (leaf?.tree !== tree) continue;
      this.#held.delete(id);
      this.#changed.delete(id);
    }
    this.#roots.delete(tree);
    this.#ended.set(tree, position);
  }

  /**
   * A later leaf before an earlier one, for what leaves a leaf must be in its new place first; roots between
   * what is new and what was there, for a root that says too little would hide what is new. Sketches first: a
   * leaf that holds a fact is not sketched again.
   */
  changes(): Change[] {
    const changed = [...this.#changed].map(id => this.#held.get(id)!).sort((a, b) => b.from - a.from);
    const isNew = ({ tree, from }: Leaf): boolean => this.#made.get(tree)?.includes(from) ?? false;
    const sketches = changed.map(leaf => ({ _id: leaf._id, _at: leaf._at, ...this.trees.sketches.of(leaf) }));
    return [sketches, changed.filter(isNew), [...this.#roots.values()], changed.filter(leaf => !isNew(leaf))]
      .map((put, nth) => ({ collection: nth === 0 ? this.sketched : this.stored, put, remove: [] }))
      .filter(({ put }) => put.length > 0);
  }

  /**
   * Of a fact that changes no leaf which was there, the root, written behind all that is new, tells that it
   * is done.
   */
  #isDone(tree: string, { position }: Fact): boolean {
    return (this.#tails.get(tree)?.since ?? START) >= position;
  }

  #divide(
    tree: string,
    leaf: Stored<Leaf> | null,
    { position }: Fact,
    { next }: Part,
    { stays, goes }: Divided<Leaf>,
  ): void {
    const first = leaf?.from ?? EARLIEST;
    if (stays)
      this.#put({
        _id: leafId(tree, first),
        _at: position,
        tree,
        from: first,
        born: leaf?.born ?? position,
        ...stays,
      });
    for (const { from, body } of goes)
      this.#put({ _id: leafId(tree, from), _at: position, tree, from, born: position, ...body });
    const made = this.#made.get(tree) ?? [];
    this.#made.set(
      tree,
      [...made, ...(leaf ? [] : [first]), ...goes.map(({ from }) => from)].sort((a, b) => a - b),
    );
    const tail = goes.at(-1)?.from ?? first;
    if (next !== null || tail === this.#tails.get(tree)?.from) return;
    this.#tails.set(tree, { from: tail, since: position });
    this.#roots.set(tree, { _id: rootId(tree), _at: position, tree, from: null, tail });
  }

  #put(leaf: Stored<Leaf>): void {
    this.#held.set(leaf._id, leaf);
    this.#changed.add(leaf._id);
  }

  async #at(tree: string, from: number): Promise<Stored<Leaf> | null> {
    const id = leafId(tree, from);
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const found = (await this.models.load<Leaf>(this.stored, [id])).get(id) ?? null;
    this.#held.set(id, found);
    return found;
  }

  /** The leaves as they were before the fact at a position: those of this page, and those that are stored. */
  #before(position: number): Leaves<Leaf> {
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
}
