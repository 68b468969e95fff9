import { setImmediate as turn } from 'node:timers/promises';
import { EARLIEST, LATEST } from '../../domain/time.js';
import type { Doc, Query, Stored } from './read-models.js';

/**
 * A document that holds what lies from `from` (epoch ms) up to where the next leaf of its tree begins. Where
 * a division is half written a leaf still holds what its new neighbour has too: what is not before the next
 * leaf does not count. `born`: position of the fact that made it.
 */
export type Leaf = Doc & { readonly tree: string; readonly from: number; readonly born: number };
/** Where the last leaf of a tree begins. */
export type Root = Doc & { readonly tree: string; readonly from: null; readonly tail: number };

/**
 * Stands in no name of a tree, so that the leaves of one lie together in the order of their ids, and those of
 * no other between.
 */
const MARK = '\u001f';
const PLACES = 10;
export const leafId = (tree: string, from: number): string =>
  `${tree}${MARK}${(from - EARLIEST).toString(36).padStart(PLACES, '0')}`;
export const rootId = (tree: string): string => `${tree}${MARK}`;
/** The root and all leaves of a tree. */
export const wholeTree = (tree: string) => ({ _id: { prefix: rootId(tree) } }) as const;
/** Leaves of a tree that begin behind `after` (null: all) and up to `until`. */
export const leavesBetween = (tree: string, after: number | null, until: number) =>
  ({
    _id: {
      ...(after === null ? { gte: leafId(tree, EARLIEST) } : { gt: leafId(tree, after) }),
      lte: leafId(tree, until),
    },
  }) as const;

export type Leaves<L extends Leaf> = {
  /** The last leaf that begins at or before a time; null: there is none. */
  readonly floor: (tree: string, time: number) => Promise<Stored<L> | null>;
  /** Where the leaf behind the one that begins at `from` begins; null: that is the last. */
  readonly next: (tree: string, from: number) => Promise<number | null>;
};

/** The leaves as they are stored. */
export const storedLeaves = <L extends Leaf>(find: (query: Query) => Promise<Stored<Doc>[]>): Leaves<L> => ({
  async floor(tree, time) {
    const [leaf] = await find({
      where: leavesBetween(tree, null, time),
      sort: { by: ['_id'], descending: true },
      limit: 1,
    });
    return (leaf as Stored<L> | undefined) ?? null;
  },
  async next(tree, from) {
    const [leaf] = await find({
      where: leavesBetween(tree, from, LATEST),
      sort: { by: ['_id'] },
      limit: 1,
      fields: ['from'],
    });
    return (leaf as Stored<L> | undefined)?.from ?? null;
  },
});

const LEAVES_A_TURN = 32;

/**
 * The leaves that hold some times (strictly increasing), each with where the one behind it begins and the
 * part of the times that is its: indexes `start` up to `end`. Only these are read, however far the times lie
 * apart.
 */
export async function* leavesFor<L extends Leaf>(leaves: Leaves<L>, tree: string, times: readonly number[]) {
  for (let start = 0, read = 1; start < times.length; read++) {
    // Stores that answer at once: requests have their turn all the same
    if (read % LEAVES_A_TURN === 0) await turn();
    const leaf = await leaves.floor(tree, times[start]!);
    const next = leaf && (await leaves.next(tree, leaf.from));
    let end = start + 1;
    while (end < times.length && (next === null || times[end]! < next)) end++;
    yield { leaf, next, start, end };
    start = end;
  }
}
