import type { Binned } from './bins.js';
import { fillHistogram, newHistogram, takeFrom, type Histogram } from './histogram.js';
import { newLeaf, newNodes, nextOf, type Leaf, type Nodes } from './leaves.js';
import type { TreesOptions } from './options.js';
import { bestSplit, outputOf, type Rules, type Split } from './split.js';

/** `ends` of the tree with their rows, in the order of `rows`, and the gradient's steps as values. */
export type Grown = {
  readonly nodes: Nodes;
  readonly ends: readonly { readonly node: number; readonly from: number; readonly to: number }[];
};

/** Above all values: what is missing is parted from what is not. */
const GREATEST = 3.4028234663852886e38;

/**
 * Grows trees as LightGBM does (Ke et al. 2017): always at the leaf whose best split gains most, until there
 * are `leaves` of them. Of two children it sums the rows of the smaller alone; the other's histogram is what
 * is left of the parent's.
 */
export class Grower {
  readonly #scratch: Float64Array;
  readonly #moved: Int32Array;
  readonly #free: Histogram[] = [];

  constructor(
    readonly table: Binned,
    readonly options: TreesOptions,
    readonly rules: Rules,
  ) {
    this.#scratch = new Float64Array(table.rows);
    this.#moved = new Int32Array(table.rows);
  }

  /** Brings the rows into the order of the ends. `pulls` is by rows of the table. */
  grow(rows: Int32Array, pulls: Float64Array, features: Int32Array): Grown {
    const nodes = newNodes();
    let sum = 0;
    for (let i = 0; i < rows.length; i++) sum += pulls[rows[i]!]!;
    const whole = { sum, rows: rows.length, low: -Infinity, high: Infinity };
    const root = newLeaf(nodes, whole, 0, 0);
    const leaves = [root];
    const look = (leaf: Leaf): void => {
      leaf.split = this.#mayPart(leaf) ? this.#best(leaf, features) : null;
      if (!leaf.split) this.#release(leaf);
    };
    root.histogram = this.#sums(rows, pulls, features);
    look(root);
    for (let at = nextOf(leaves); at >= 0 && leaves.length < this.options.leaves; at = nextOf(leaves)) {
      const leaf = leaves[at]!;
      const [left, right] = this.#part(leaf, leaf.split!, nodes, rows);
      leaves[at] = left;
      leaves.push(right);
      const [few, many] = left.rows <= right.rows ? [left, right] : [right, left];
      many.histogram = leaf.histogram;
      if (leaves.length < this.options.leaves && this.#mayPart(many)) {
        few.histogram = this.#sums(rows.subarray(few.from, few.to), pulls, features);
        takeFrom(many.histogram!, few.histogram);
        look(few);
      }
      look(many);
    }
    for (const leaf of leaves) {
      this.#release(leaf);
      nodes.value[leaf.node] = outputOf(leaf, this.rules);
    }
    return { nodes, ends: leaves };
  }

  #mayPart({ depth, rows, histogram }: Leaf): boolean {
    return histogram !== null && depth < this.options.maxDepth && rows >= 2 * this.rules.minLeafRows;
  }

  #sums(rows: Int32Array, pulls: Float64Array, features: Int32Array): Histogram {
    const histogram = this.#free.pop() ?? newHistogram(this.table);
    fillHistogram(histogram, this.table, features, rows, pulls, this.rules.binary, this.#scratch);
    return histogram;
  }

  #release(leaf: Leaf): void {
    if (leaf.histogram) this.#free.push(leaf.histogram);
    leaf.histogram = null;
  }

  #best(leaf: Leaf, features: Int32Array): Split | null {
    const { offsets, thresholds } = this.table;
    let best: Split | null = null;
    for (const feature of features) {
      const sign = this.options.monotone[feature] ?? 0;
      const values = thresholds[feature]!.length + 1;
      const split = bestSplit(leaf.histogram!, offsets[feature]!, values, feature, sign, leaf, this.rules);
      if (split && (!best || split.gain > best.gain)) best = split;
    }
    return best;
  }

  #part(leaf: Leaf, split: Split, nodes: Nodes, rows: Int32Array): [Leaf, Leaf] {
    const { feature, bin, missingLeft, gain } = split;
    const { low, high } = leaf;
    nodes.feature[leaf.node] = feature;
    nodes.threshold[leaf.node] = this.table.thresholds[feature]![bin] ?? GREATEST;
    nodes.missingLeft[leaf.node] = missingLeft;
    nodes.gain[leaf.node] = gain;
    this.#move(rows.subarray(leaf.from, leaf.to), split);
    const left = { sum: split.leftSum, rows: split.leftRows, low, high };
    const right = { sum: leaf.sum - split.leftSum, rows: leaf.rows - split.leftRows, low, high };
    const sign = this.options.monotone[feature] ?? 0;
    if (sign !== 0) {
      const middle = (outputOf(left, this.rules) + outputOf(right, this.rules)) / 2;
      const [lower, upper] = sign > 0 ? [left, right] : [right, left];
      lower.high = middle;
      upper.low = middle;
    }
    const children: [Leaf, Leaf] = [
      newLeaf(nodes, left, leaf.from, leaf.depth + 1),
      newLeaf(nodes, right, leaf.from + left.rows, leaf.depth + 1),
    ];
    nodes.left[leaf.node] = children[0].node;
    nodes.right[leaf.node] = children[1].node;
    return children;
  }

  /** Those that go left first, both in the order they had. */
  #move(rows: Int32Array, { feature, bin, missingLeft }: Split): void {
    const { bins, rows: all, thresholds } = this.table;
    const column = bins.subarray(feature * all, (feature + 1) * all);
    const missing = thresholds[feature]!.length + 1;
    const moved = this.#moved;
    let left = 0;
    let right = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      const at = column[row]!;
      if (at === missing ? missingLeft === 1 : at <= bin) rows[left++] = row;
      else moved[right++] = row;
    }
    rows.set(moved.subarray(0, right), left);
  }
}
