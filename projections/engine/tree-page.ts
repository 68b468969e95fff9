import type { Fact } from '../../domain/fact.js';
import { EARLIEST } from '../../domain/time.js';
import { LeavesInHand } from './leaves-in-hand.js';
import { leafId, leavesFor, rootId, wholeTree, type Leaf, type Root } from './leaves.js';
import type { Commit, ReadModels, Stored } from './read-models.js';
import type { Divided, Part, Trees } from './trees.js';

type Change = Commit['changes'][number];

/**
 * The leaves that a page of facts touches, while it is applied.
 *
 * A crash may leave new leaves in the store that were divided from ones which are still as they were. Facts
 * that come again see each tree as it was before them: no leaf that was born later. So they divide it where
 * they did the first time.
 */
export class TreePage {
  readonly #leaves: LeavesInHand;
  readonly #roots = new Map<string, Stored<Root>>();
  /** By tree, the position at which it ended. */
  readonly #ended = new Map<string, number>();

  constructor(
    private readonly trees: Trees,
    models: ReadModels,
    private readonly stored: string,
    private readonly sketched: string,
  ) {
    this.#leaves = new LeavesInHand(models, stored);
  }

  prepare(page: readonly Fact[]): Promise<void> {
    return this.#leaves.prepare(new Set(page.map(this.trees.treeOf).filter(tree => tree !== null)));
  }

  /** Facts come in order. Answers whether there is room for more. */
  async land(fact: Fact): Promise<boolean> {
    const ends = this.trees.endOf(fact);
    const tree = this.trees.treeOf(fact);
    if (ends !== null) this.#end(ends, fact.position);
    if (tree === null) return true;
    const before = this.#leaves.before(fact.position);
    for await (const { leaf, ...part } of leavesFor(before, tree, this.trees.timesOf(fact))) {
      if (leaf && leaf._at >= fact.position) continue;
      const divided = this.trees.evolve(leaf, fact, part);
      if ((leaf && divided.stays) || !this.#isDone(tree, fact)) this.#divide(tree, leaf, fact, part, divided);
    }
    return this.#leaves.size < this.trees.mostLeaves;
  }

  /** For the trees that ended. */
  sweeps(): Commit['sweeps'] {
    return [...this.#ended].flatMap(([tree, before]) =>
      [this.stored, this.sketched].map(collection => ({ collection, where: wholeTree(tree), before })),
    );
  }

  /**
   * A later leaf before an earlier one, for what leaves a leaf must be in its new place first; roots between
   * what is new and what was there, for a root that says too little would hide what is new. Sketches first: a
   * leaf that holds a fact is not sketched again.
   */
  changes(): Change[] {
    const changed = this.#leaves.changed();
    const added = changed.filter(leaf => this.#leaves.isNew(leaf));
    const there = changed.filter(leaf => !this.#leaves.isNew(leaf));
    const sketches = changed.map(leaf => ({ _id: leaf._id, _at: leaf._at, ...this.trees.sketches.of(leaf) }));
    return [
      { collection: this.sketched, put: sketches, remove: [] },
      ...[added, [...this.#roots.values()], there].map(put => ({ collection: this.stored, put, remove: [] })),
    ].filter(({ put }) => put.length > 0);
  }

  #end(tree: string, position: number): void {
    this.#leaves.forget(tree);
    this.#roots.delete(tree);
    this.#ended.set(tree, position);
  }

  /**
   * Of a fact that changes no leaf which was there, the root, written behind all that is new, tells that it
   * is done.
   */
  #isDone(tree: string, { position }: Fact): boolean {
    return this.#leaves.tailOf(tree).since >= position;
  }

  #divide(
    tree: string,
    leaf: Stored<Leaf> | null,
    { position }: Fact,
    { next }: Part,
    { stays, goes }: Divided<Leaf>,
  ): void {
    const first = leaf?.from ?? EARLIEST;
    const put = (from: number, born: number, body: object) =>
      this.#leaves.put({ _id: leafId(tree, from), _at: position, tree, from, born, ...body });
    if (stays) put(first, leaf?.born ?? position, stays);
    for (const { from, body } of goes) put(from, position, body);
    this.#leaves.make(tree, [...(leaf ? [] : [first]), ...goes.map(({ from }) => from)]);
    const tail = goes.at(-1)?.from ?? first;
    if (next !== null || tail === this.#leaves.tailOf(tree).from) return;
    this.#leaves.moveTail(tree, { from: tail, since: position });
    this.#roots.set(tree, { _id: rootId(tree), _at: position, tree, from: null, tail });
  }
}
