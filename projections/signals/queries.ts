import { initialState, type Layer, type SignalState } from '../../domain/signals/decider.js';
import { firstAtOrAfter, packed, runsOf, type Columns } from '../../domain/signals/points.js';
import { START } from '../../domain/fact.js';
import { leafFor, leavesFor, leavesOf } from '../leaves.js';
import type { Reader } from '../reader.js';
import type { Stored } from '../read-models.js';
import type { SignalDoc, SignalEndDoc, SignalRevisionDoc, SignalWorkspaceDoc } from './documents.js';
import { entriesOf, type PointsLeaf } from './leaf.js';
import { signalId } from './projection.js';

export type SignalQueries = ReturnType<typeof signalQueries>;

/** How far a signal is known, for a command: at a revision of its journal, as the fact at a position left it. */
export type SignalKnown = { readonly state: SignalState; readonly revision: number; readonly position: number | null };

const NOTHING: SignalKnown = { state: initialState, revision: START, position: null };

export function signalQueries(read: Reader) {
  const leaves = leavesOf<PointsLeaf>({
    find: query => read.find<PointsLeaf>('signal_points', query), load: ids => read.load<PointsLeaf>('signal_points', ids),
  });

  /** The leaves that hold some times of a signal. */
  async function around(tree: string, times: readonly number[]): Promise<Layer[]> {
    const layers: Layer[] = [];
    for await (const { leaf } of leavesFor(leaves, tree, times)) {
      const entries = leaf && entriesOf(leaf);
      if (entries && entries.times.length > 0) layers.push({ points: packed(entries), recorded: runsOf(entries.recorded) });
    }
    return layers;
  }

  async function knownFrom(doc: Stored<SignalDoc>, times: readonly number[]): Promise<SignalKnown> {
    const { last_at: last, reported_unit: reportedUnit, assigned_unit: unit, assigned, group, name, revision, _at: position } = doc;
    const old = [...new Set(times.filter(time => time <= last))].sort((a, b) => a - b);
    const layers = old.length > 0 ? await around(doc._id, old) : [];
    return { state: { status: 'live', last, reportedUnit, unit, group: assigned ? group : null, name, layers }, revision, position };
  }

  return {
    /** What commands go on from. The document is read before the points: these are never behind it. */
    async known(workspace: string, of: readonly { readonly key: string; readonly times: readonly number[] }[]): Promise<SignalKnown[]> {
      const ids = of.map(({ key }) => signalId(workspace, key)), docs = await read.load<SignalDoc>('signals', ids);
      const missing = ids.filter(id => !docs.has(id));
      const ends = missing.length > 0 ? await read.load<SignalEndDoc>('signal_ends', missing) : new Map<string, Stored<SignalEndDoc>>();
      return Promise.all(of.map(({ times }, i) => {
        const doc = docs.get(ids[i]!), end = ends.get(ids[i]!);
        if (doc) return knownFrom(doc, times);
        return end ? { state: initialState, revision: end.revision, position: end._at } : NOTHING;
      }));
    },

    signal: (workspace: string, key: string) => read.get<SignalDoc>('signals', signalId(workspace, key)),

    /** Those of the keys that there are, by key. */
    async signals(workspace: string, keys: readonly string[]): Promise<Map<string, SignalDoc>> {
      const docs = await read.load<SignalDoc>('signals', keys.map(key => signalId(workspace, key)));
      return new Map([...docs.values()].map(doc => [doc.key, doc]));
    },

    /** How many signals and points a workspace has. */
    totals: async (workspace: string): Promise<SignalWorkspaceDoc> =>
      await read.get<SignalWorkspaceDoc>('signal_workspaces', workspace) ?? { _id: workspace, signals: 0, points: 0, changed: START },

    /** The end of a signal's last life; null: it never ended. */
    end: (workspace: string, key: string) => read.get<SignalEndDoc>('signal_ends', signalId(workspace, key)),

    /** Points from one time to another, both included, in order, leaf by leaf; only the leaves between are read. */
    async *points(workspace: string, key: string, from: number, to: number): AsyncGenerator<Columns> {
      const tree = signalId(workspace, key);
      let leaf = await leafFor(leaves, tree, from);
      if (!leaf) return;
      for (;;) {
        const { times, values } = entriesOf(leaf), start = firstAtOrAfter(times, from), end = firstAtOrAfter(times, to + 1);
        if (start < end) yield { times: times.slice(start, end), values: values.slice(start, end) };
        if (leaf.next === null || leaf.next > to) return;
        const next: Stored<PointsLeaf> | null = await leaves.at(tree, leaf.next);
        if (!next) return;
        leaf = next;
      }
    },

    /** The newest points of a signal up to a time, at most `count` of them, in order. */
    async newest(workspace: string, key: string, to: number, count: number): Promise<Columns> {
      const tree = signalId(workspace, key), parts: Columns[] = [];
      let left = count;
      for (let until = to; left > 0;) {
        const leaf = await leafFor(leaves, tree, until);
        if (!leaf) break;
        const { times, values } = entriesOf(leaf), end = firstAtOrAfter(times, until + 1), start = Math.max(0, end - left);
        parts.unshift({ times: times.slice(start, end), values: values.slice(start, end) });
        left -= end - start;
        until = leaf.from - 1;
      }
      return { times: parts.flatMap(({ times }) => times), values: parts.flatMap(({ values }) => values) };
    },

    /** Values of a signal that were replaced, at times from one to another, oldest replacement first, page by page. */
    revisions: (workspace: string, key: string) => read.pages<SignalRevisionDoc>('signal_revisions', {
      where: { signal: signalId(workspace, key) }, sort: { by: ['signal', '_id'] },
    }),
  };
}
