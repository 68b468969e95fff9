import type { Fact, Message } from '../../domain/fact.js';
import type { Leaf } from './leaves.js';

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
