import type { Histogram } from './histogram.js';
import { END } from './model.js';
import type { Split, Sums } from './split.js';

/** A tree while it grows. */
export type Nodes = {
  left: number[];
  right: number[];
  feature: number[];
  threshold: number[];
  missingLeft: (0 | 1)[];
  value: number[];
  gain: number[];
  rows: number[];
};

/** A node without children (yet); its rows stand from `from` to `to` - 1 among those of the tree. */
export type Leaf = Sums & {
  readonly node: number;
  readonly from: number;
  readonly to: number;
  readonly depth: number;
  histogram: Histogram | null;
  split: Split | null;
};

export const newNodes = (): Nodes => ({
  left: [],
  right: [],
  feature: [],
  threshold: [],
  missingLeft: [],
  value: [],
  gain: [],
  rows: [],
});

/** Adds a node without children; its rows begin at `from`. */
export function newLeaf(nodes: Nodes, sums: Sums, from: number, depth: number): Leaf {
  const node = nodes.left.length;
  for (const list of [nodes.left, nodes.right]) list.push(END);
  for (const list of [nodes.feature, nodes.threshold, nodes.value, nodes.gain]) list.push(0);
  nodes.missingLeft.push(0);
  nodes.rows.push(sums.rows);
  return { ...sums, node, from, to: from + sums.rows, depth, histogram: null, split: null };
}

/** The leaf that gains most by its split, the first of equals; -1 where none has one. */
export const nextOf = (leaves: readonly Leaf[]): number =>
  leaves.reduce((best, { split }, i) => (split && !(split.gain <= gainAt(leaves, best)) ? i : best), -1);
const gainAt = (leaves: readonly Leaf[], at: number): number => leaves[at]?.split?.gain ?? -Infinity;
