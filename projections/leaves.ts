import { EARLIEST } from '../domain/time.js';
import type { Doc, Query, Stored } from './read-models.js';

/**
 * A document that holds what lies from `from` up to `next` (null: for ever) in a tree ordered by time (epoch ms). The leaves of a
 * tree are chained by `next`, so that whoever comes to one too early finds on (a B-link tree: Lehman and Yao, 1981). Where a
 * division is half written, a leaf still holds what its new neighbour has too: what is not before `next` does not count.
 */
export type Leaf = Doc & { readonly tree: string; readonly from: number; readonly next: number | null };
/** Where the last leaf of a tree began when this was written: a hint. */
export type Root = Doc & { readonly tree: string; readonly from: null; readonly tail: number };

const PLACES = 10;
export const leafId = (tree: string, from: number): string => `${tree}/${(from - EARLIEST).toString(36).padStart(PLACES, '0')}`;
export const rootId = (tree: string): string => `${tree}/`;

/** Where leaves are read from. */
export type Shelf<L extends Leaf> = {
  readonly find: (query: Query) => Promise<Stored<L>[]>;
  readonly load: (ids: readonly string[]) => Promise<Map<string, Stored<L>>>;
};
export type Leaves<L extends Leaf> = {
  /** The leaf that begins at a time, when there is one. */
  readonly at: (tree: string, from: number) => Promise<Stored<L> | null>;
  /** The last leaf that begins at or before a time. */
  readonly floor: (tree: string, time: number) => Promise<Stored<L> | null>;
};

export const leavesOf = <L extends Leaf>({ find, load }: Shelf<L>): Leaves<L> => ({
  at: async (tree, from) => (await load([leafId(tree, from)])).get(leafId(tree, from)) ?? null,
  floor: async (tree, time) =>
    (await find({ where: { tree, from: { lte: time } }, sort: { by: ['tree', 'from'], descending: true }, limit: 1 }))[0] ?? null,
});

/** The leaf in which a time lies; null: the tree has none. */
export async function leafFor<L extends Leaf>(leaves: Leaves<L>, tree: string, time: number): Promise<Stored<L> | null> {
  let leaf = await leaves.floor(tree, time);
  while (leaf && leaf.next !== null && leaf.next <= time) {
    const next: Stored<L> | null = await leaves.at(tree, leaf.next);
    if (!next) break;
    leaf = next;
  }
  return leaf;
}

/**
 * The leaves that hold some times (strictly increasing), each with the part of the times that is its: indexes `start` up to `end`.
 * Only these are read, however far the times lie apart.
 */
export async function* leavesFor<L extends Leaf>(leaves: Leaves<L>, tree: string, times: readonly number[]) {
  let before: Stored<L> | null = null;
  for (let start = 0; start < times.length;) {
    const time = times[start]!;
    // What follows directly is found without a search
    const neighbour: Stored<L> | null = before && before.next !== null ? await leaves.at(tree, before.next) : null;
    const leaf: Stored<L> | null = neighbour && (neighbour.next === null || time < neighbour.next) ? neighbour : await leafFor(leaves, tree, time);
    let end = start + 1;
    while (end < times.length && (!leaf || leaf.next === null || times[end]! < leaf.next)) end++;
    yield { leaf, start, end };
    before = leaf;
    start = end;
  }
}
