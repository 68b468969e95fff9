import { firstFrom } from '../../domain/maths/series/series.js';
import type { Columns } from '../../domain/signals/points.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import type { WorkspaceKey } from '../engine/keys.js';
import { leafId, leavesBetween, rootId, storedLeaves, type Root } from '../engine/leaves.js';
import type { Reader } from '../engine/reader.js';
import type { SignalRevisionDoc, PointsLeaf } from './documents.js';
import { knownThen } from './known-then.js';
import { pointsOf, LEAF_POINTS } from './leaf.js';
import { signalId } from './ids.js';

/** Leaves that are read in one go. */
const LEAVES_AT_ONCE = 50;

/** Points of signals, and the values that others took the place of. */
export function pointQueries(read: Reader) {
  const leaves = storedLeaves<PointsLeaf>(query => read.find<PointsLeaf>('signal_points', query));
  const then = knownThen(read);

  /**
   * The newest points of a signal up to a time, at most `count` of them, in order; with `asOf` (epoch ms) as
   * they were known at that moment, by what was recorded until then.
   */
  async function newest(
    workspace: string,
    key: string,
    to: number,
    count: number,
    asOf: number | null = null,
  ): Promise<Columns> {
    if (asOf !== null) return newestKnown(signalId(workspace, key), to, count, asOf);
    const parts: Columns[] = [];
    let left = count;
    let next: number | null = to + 1;
    for await (const page of read.pages<PointsLeaf>('signal_points', {
      where: leavesBetween(signalId(workspace, key), null, to),
      sort: { by: ['_id'], descending: true },
      limit: Math.min(LEAVES_AT_ONCE, 1 + Math.ceil(count / LEAF_POINTS)),
    }))
      for (const leaf of page) {
        const part = newestIn(pointsOf(leaf, next), left);
        parts.unshift(part);
        left -= part.times.length;
        next = leaf.from;
        if (left === 0) return joined(parts);
      }
    return joined(parts);
  }

  async function newestKnown(tree: string, to: number, count: number, asOf: number): Promise<Columns> {
    const parts: Columns[] = [];
    const span = { from: EARLIEST, to };
    let left = count;
    for await (const { leaf, next } of then.leaves(tree, span, asOf, true)) {
      const part = newestIn(await then.within(leaf, next, span, asOf), left);
      parts.unshift(part);
      left -= part.times.length;
      if (left === 0) break;
    }
    return joined(parts);
  }

  return {
    newest,

    /** Points from one time to another, both included, leaf by leaf in order, as they were known then. */
    async *pointsKnown(workspace: string, key: string, from: number, to: number, asOf: number) {
      for await (const { leaf, next } of then.leaves(signalId(workspace, key), { from, to }, asOf, false)) {
        const columns = await then.within(leaf, next, { from, to }, asOf);
        if (columns.times.length > 0) yield columns;
      }
    },

    /** The newest points of signals, at most `count` of each, in order: for each place, two loads for all. */
    async newestOfEach(places: readonly WorkspaceKey[], count: number): Promise<Columns[]> {
      const trees = places.map(({ workspace, key }) => signalId(workspace, key));
      const roots = await read.load<Root>('signal_points', trees.map(rootId));
      const tails = await read.load<PointsLeaf>(
        'signal_points',
        [...roots.values()].map(({ tree, tail }) => leafId(tree, tail)),
      );
      return Promise.all(
        trees.map(async (tree, i) => {
          const tail = roots.get(rootId(tree))?.tail ?? EARLIEST;
          const leaf = tails.get(leafId(tree, tail));
          const isAll = tail === EARLIEST || (leaf !== undefined && leaf.points.values.length >= count);
          const { workspace, key } = places[i]!;
          if (!isAll) return newest(workspace, key, LATEST, count);
          return leaf ? newestIn(pointsOf(leaf, null), count) : { times: [], values: [] };
        }),
      );
    },

    /**
     * Points from one time to another, both included, in order, leaf by leaf; only the leaves between are
     * read, some in one go.
     */
    async *points(
      workspace: string,
      key: string,
      from: number,
      to: number,
      atOnce = LEAVES_AT_ONCE,
    ): AsyncGenerator<Columns> {
      const tree = signalId(workspace, key);
      const first = await leaves.floor(tree, from);
      let leaf = first;
      const within = (next: number | null): Columns => {
        const { times, values } = pointsOf(leaf!, next);
        const start = firstFrom(times, from);
        const end = firstFrom(times, to + 1);
        return { times: times.slice(start, end), values: values.slice(start, end) };
      };
      if (!first) return;
      for await (const page of read.pages<PointsLeaf>('signal_points', {
        where: leavesBetween(tree, first.from, to),
        sort: { by: ['_id'] },
        limit: atOnce,
      }))
        for (const following of page) {
          const columns = within(following.from);
          if (columns.times.length > 0) yield columns;
          leaf = following;
        }
      const columns = within(null);
      if (columns.times.length > 0) yield columns;
    },

    /**
     * Values of a signal that were replaced, at times from one to another, oldest replacement first, page by
     * page.
     */
    revisions: (workspace: string, key: string) =>
      read.pages<SignalRevisionDoc>('signal_revisions', {
        where: { signal: signalId(workspace, key) },
        sort: { by: ['signal', '_id'] },
      }),
  };
}

function newestIn({ times, values }: Columns, count: number): Columns {
  const start = Math.max(0, times.length - count);
  return { times: times.slice(start), values: values.slice(start) };
}

/** `concat`, for `flatMap` takes ten times as long. */
function joined(parts: readonly Columns[]): Columns {
  const [first, ...rest] = parts;
  if (!first || rest.length === 0) return first ?? { times: [], values: [] };
  return {
    times: first.times.concat(...rest.map(({ times }) => times)),
    values: first.values.concat(...rest.map(({ values }) => values)),
  };
}
