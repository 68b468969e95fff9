import { initialState, type Layer, type SignalState } from '../../domain/signals/state.js';
import { firstFrom } from '../../domain/maths/series/series.js';
import { packed, runsOf, type Columns } from '../../domain/signals/points.js';
import { START } from '../../domain/fact.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import type { WorkspaceKey } from '../engine/keys.js';
import { leafId, leavesBetween, leavesFor, rootId, storedLeaves, type Root } from '../engine/leaves.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type {
  SignalDoc,
  SignalEndDoc,
  SignalRevisionDoc,
  SignalWorkspaceDoc,
  PointsLeaf,
} from './documents.js';
import { entriesAt, entriesOf, LEAF_POINTS } from './leaf.js';
import { signalId } from './ids.js';

export type SignalQueries = ReturnType<typeof signalQueries>;

/**
 * How far a signal is known, for a command: at a revision of its journal, as the fact at a position left it.
 */
export type SignalKnown = {
  readonly state: SignalState;
  readonly revision: number;
  readonly position: number | null;
};

/** Leaves that are read in one go. */
const LEAVES_AT_ONCE = 50;

const NOTHING: SignalKnown = { state: initialState, revision: START, position: null };

export function signalQueries(read: Reader) {
  const leaves = storedLeaves<PointsLeaf>(query => read.find<PointsLeaf>('signal_points', query));

  /** The points of a signal at some times (strictly increasing). */
  async function pointsAt(tree: string, times: readonly number[]): Promise<Layer[]> {
    const layers: Layer[] = [];
    for await (const { leaf, next, start, end } of leavesFor(leaves, tree, times)) {
      const entries = leaf && entriesAt(entriesOf(leaf, next), times.slice(start, end));
      if (entries && entries.times.length > 0)
        layers.push({ points: packed(entries), recorded: runsOf(entries.recorded) });
    }
    return layers;
  }

  async function knownFrom(doc: Stored<SignalDoc>, times: readonly number[]): Promise<SignalKnown> {
    const {
      last_at: last,
      reported_unit: reportedUnit,
      assigned_unit: unit,
      assigned,
      group,
      name,
      revision,
      _at: position,
    } = doc;
    const old = [...new Set(times.filter(time => time <= last))].sort((a, b) => a - b);
    const layers = old.length > 0 ? await pointsAt(doc._id, old) : [];
    return {
      state: { status: 'live', last, reportedUnit, unit, group: assigned ? group : null, name, layers },
      revision,
      position,
    };
  }

  /** The newest points of a signal up to a time, at most `count` of them, in order. */
  async function newest(workspace: string, key: string, to: number, count: number): Promise<Columns> {
    const parts: Columns[] = [];
    let left = count;
    let next: number | null = to + 1;
    for await (const page of read.pages<PointsLeaf>('signal_points', {
      where: leavesBetween(signalId(workspace, key), null, to),
      sort: { by: ['_id'], descending: true },
      limit: Math.min(LEAVES_AT_ONCE, 1 + Math.ceil(count / LEAF_POINTS)),
    }))
      for (const leaf of page) {
        const part = newestIn(entriesOf(leaf, next), left);
        parts.unshift(part);
        left -= part.times.length;
        next = leaf.from;
        if (left === 0) return joined(parts);
      }
    return joined(parts);
  }

  return {
    /** What commands go on from. The document is read before the points: these are never behind it. */
    async known(
      workspace: string,
      of: readonly { readonly key: string; readonly times: readonly number[] }[],
    ): Promise<SignalKnown[]> {
      const ids = of.map(({ key }) => signalId(workspace, key));
      const docs = await read.load<SignalDoc>('signals', ids);
      const missing = ids.filter(id => !docs.has(id));
      const ends =
        missing.length > 0
          ? await read.load<SignalEndDoc>('signal_ends', missing)
          : new Map<string, Stored<SignalEndDoc>>();
      return Promise.all(
        of.map(({ times }, i) => {
          const doc = docs.get(ids[i]!);
          const end = ends.get(ids[i]!);
          if (doc) return knownFrom(doc, times);
          return end ? { state: initialState, revision: end.revision, position: end._at } : NOTHING;
        }),
      );
    },

    upTo: read.upTo,

    signal: (workspace: string, key: string) => read.get<SignalDoc>('signals', signalId(workspace, key)),

    /** Those of the keys that there are, by key. */
    async signals(workspace: string, keys: readonly string[]): Promise<Map<string, Stored<SignalDoc>>> {
      const docs = await read.load<SignalDoc>(
        'signals',
        keys.map(key => signalId(workspace, key)),
      );
      return new Map([...docs.values()].map(doc => [doc.key, doc]));
    },

    /** How many signals and points a workspace has. */
    totals: async (workspace: string): Promise<SignalWorkspaceDoc> =>
      (await read.get<SignalWorkspaceDoc>('signal_workspaces', workspace)) ?? {
        _id: workspace,
        signals: 0,
        points: 0,
        changed: START,
      },

    /** The end of a signal's last life; null: it never ended. */
    end: (workspace: string, key: string) => read.get<SignalEndDoc>('signal_ends', signalId(workspace, key)),

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
        const { times, values } = entriesOf(leaf!, next);
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

    newest,

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
          return leaf ? newestIn(entriesOf(leaf, null), count) : { times: [], values: [] };
        }),
      );
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

const joined = (parts: readonly Columns[]): Columns => ({
  times: parts.flatMap(({ times }) => times),
  values: parts.flatMap(({ values }) => values),
});
