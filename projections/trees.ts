import type { Fact, Message } from '../domain/fact.js';
import { EARLIEST } from '../domain/time.js';
import { leafId, leavesFor, leavesOf, rootId, type Leaf, type Leaves, type Root } from './leaves.js';
import type { Commit, Query, ReadModels, Stored } from './read-models.js';

/** What stands in a leaf, besides its place in the tree. */
export type Body<L extends Leaf> = Omit<L, keyof Leaf>;
/** What becomes of a leaf: what stays in it, and what goes into new ones behind it, in order. */
export type Divided<L extends Leaf> = { readonly stays: Body<L>; readonly goes: readonly { readonly from: number; readonly body: Body<L> }[] };
/** The part of a fact's times that lies in one leaf: indexes; `last`: no leaf follows. */
export type Part = { readonly start: number; readonly end: number; readonly last: boolean };

/** A collection of leaves as data: where a fact lands, and what it makes of each leaf there. */
export type Trees<L extends Leaf = Leaf, E extends Message = Message> = {
  /** Short name of the collection. It needs the index ['tree', 'from'] and lands nowhere by itself (`idOf` null). */
  readonly collection: string;
  /** The tree that a fact touches; null: none. */
  readonly treeOf: (fact: Fact<E>) => string | null;
  /** The times in its tree that it touches, strictly increasing. */
  readonly timesOf: (fact: Fact<E>) => readonly number[];
  /** `leaf` null: the first of a tree. */
  readonly evolve: (leaf: L | null, fact: Fact<E>, part: Part) => Divided<L>;
};

type Change = Commit['changes'][number];

/** So many leaves are in hand at most: a page that touches more is written in steps. */
const MOST_LEAVES = 2_000;

/** The leaves that a page of facts touches, while it is applied. */
export class TreePage {
  /** By id: what is in hand (null: there is none), what of it is changed, and which trees were swept, where. */
  readonly #held = new Map<string, Stored<Leaf> | null>();
  readonly #changed = new Set<string>();
  readonly #tails = new Map<string, number>();
  readonly #roots = new Map<string, Stored<Root>>();
  readonly #swept = new Map<string, number>();
  readonly #stored: Leaves<Leaf>;
  readonly #here: Leaves<Leaf>;

  constructor(private readonly trees: Trees, private readonly models: ReadModels, private readonly stored: string) {
    this.#stored = leavesOf<Leaf>({
      find: (query: Query) => models.find<Leaf>(stored, query), load: ids => models.load<Leaf>(stored, ids),
    });
    this.#here = { at: (tree, from) => this.#at(leafId(tree, from)), floor: (tree, time) => this.#floor(tree, time) };
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
    const tree = this.trees.treeOf(fact);
    if (tree === null) return true;
    for await (const { leaf, start, end } of leavesFor(this.#here, tree, this.trees.timesOf(fact))) {
      if (leaf && leaf._at >= fact.position) continue;
      this.#divide(tree, leaf, fact, this.trees.evolve(leaf, fact, { start, end, last: !leaf || leaf.next === null }));
    }
    return this.#held.size < MOST_LEAVES;
  }

  /** All leaves of a tree that were there before the fact go. */
  sweep(tree: string, position: number): void {
    for (const [id, leaf] of this.#held) {
      if (leaf?.tree !== tree || leaf._at >= position) continue;
      this.#held.set(id, null);
      this.#changed.delete(id);
    }
    this.#tails.delete(tree);
    this.#roots.delete(tree);
    this.#swept.set(tree, position);
  }

  /** The later leaf before the earlier one: what leaves a leaf must be in its new place first. */
  changes(): Change[] {
    const leaves = [...this.#changed].map(id => this.#held.get(id)!).sort((a, b) => b.from - a.from);
    return [leaves, [...this.#roots.values()]].filter(put => put.length > 0).map(put => ({ collection: this.stored, put, remove: [] }));
  }

  #divide(tree: string, leaf: Stored<Leaf> | null, { position }: Fact, { stays, goes }: Divided<Leaf>): void {
    const first = leaf?.from ?? EARLIEST;
    const parts = [{ from: first, body: stays }, ...goes];
    for (const [i, { from, body }] of parts.entries()) {
      const next = parts[i + 1]?.from ?? leaf?.next ?? null;
      const made: Stored<Leaf> = { _id: leafId(tree, from), _at: position, tree, from, next, ...body };
      this.#held.set(made._id, made);
      this.#changed.add(made._id);
    }
    const tail = parts.at(-1)!.from;
    if ((leaf && leaf.next !== null) || tail === this.#tails.get(tree)) return;
    this.#tails.set(tree, tail);
    this.#roots.set(tree, { _id: rootId(tree), _at: position, tree, from: null, tail });
  }

  async #at(id: string): Promise<Stored<Leaf> | null> {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const found = (await this.models.load<Leaf>(this.stored, [id])).get(id) ?? null;
    // What a deletion of this page has ended is still there
    const live = found && found._at >= (this.#swept.get(found.tree) ?? -Infinity) ? found : null;
    this.#held.set(id, live);
    return live;
  }

  /** Mostly the last leaf. New ones are found from the one that they were divided from, or from the first of the tree. */
  async #floor(tree: string, time: number): Promise<Stored<Leaf> | null> {
    const tail = this.#tails.get(tree);
    const last = tail === undefined ? null : await this.#at(leafId(tree, tail));
    if (last && last.from <= time) return last;
    const stored = this.#swept.has(tree) ? null : await this.#stored.floor(tree, time);
    return this.#at(leafId(tree, stored?.from ?? EARLIEST));
  }
}
