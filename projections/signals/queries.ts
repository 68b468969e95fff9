import { initialState, type Layer, type SignalState } from '../../domain/signals/state.js';
import { packed, runsOf } from '../../domain/signals/points.js';
import { entityOf, SEPARATOR } from '../../domain/maths/series/units.js';
import { START } from '../../domain/fact.js';
import { leavesFor, storedLeaves } from '../engine/leaves.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { SignalDoc, SignalEndDoc, SignalWorkspaceDoc, PointsLeaf } from './documents.js';
import { entriesAt, entriesOf } from './leaf.js';
import { signalId } from './ids.js';
import { pointQueries } from './point-queries.js';
import { summariesThen } from './summaries-then.js';

export type SignalQueries = ReturnType<typeof signalQueries>;

/**
 * How far a signal is known, for a command: at a revision of its journal, as the fact at a position left it.
 */
export type SignalKnown = {
  readonly state: SignalState;
  readonly revision: number;
  readonly position: number | null;
};

/** Behind every letter. */
const LAST = '\u{10ffff}';

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

  return {
    ...pointQueries(read),
    summaryThen: summariesThen(read),

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

    /** The signals of the entities of a base, `<base>__<entity>`, by key: at most `limit` of them. */
    async entities(workspace: string, base: string, limit: number): Promise<Stored<SignalDoc>[]> {
      const found: Stored<SignalDoc>[] = [];
      for await (const page of read.pages<SignalDoc>('signals', {
        where: { _id: { prefix: signalId(workspace, base + SEPARATOR) } },
        sort: { by: ['_id'] },
        limit: limit + 1,
      })) {
        // `<base>__` alone is the signal of no entity, and of a longer base the first `__` counts
        found.push(...page.filter(({ key }) => entityOf(key)?.base === base));
        if (found.length >= limit) break;
      }
      return found.slice(0, limit);
    },

    /**
     * What its signals are called, the first by key; all entities of a base are one. Reads little of those
     * that it passes over.
     */
    async names(workspace: string, limit: number): Promise<string[]> {
      const found = new Map<string, string>();
      let after: string[] | undefined;
      while (found.size < limit) {
        const page = await read.find<Pick<SignalDoc, '_id' | 'key' | 'name'>>('signals', {
          where: { _id: { prefix: signalId(workspace, '') } },
          sort: { by: ['_id'] },
          limit,
          fields: ['key', 'name'],
          ...(after && { after }),
        });
        for (const { key, name } of page) {
          const base = entityOf(key)?.base;
          if (!found.has(base ?? key)) found.set(base ?? key, base ?? name ?? key);
        }
        const last = page.at(-1);
        if (page.length < limit || !last) break;
        const base = entityOf(last.key)?.base;
        after = [base === undefined ? last._id : signalId(workspace, `${base}${SEPARATOR}${LAST}`)];
      }
      return [...found.values()].slice(0, limit);
    },

    /** How many signals and points a workspace has. */
    totals: async (workspace: string): Promise<SignalWorkspaceDoc> =>
      (await read.get<SignalWorkspaceDoc>('signal_workspaces', workspace)) ?? {
        _id: workspace,
        signals: 0,
        points: 0,
        changed: START,
      },

    /** Keys of the workspace's signals whose last life ended after a moment, epoch ms, page by page. */
    async *endedSince(workspace: string, asOf: number): AsyncGenerator<string[]> {
      const query = {
        where: { workspace, ended_at: { gt: asOf } },
        sort: { by: ['ended_at', '_id'] },
      };
      for await (const page of read.pages<SignalEndDoc>('signal_ends', query))
        yield page.map(({ _id }) => _id.slice(signalId(workspace, '').length));
    },

    /** The end of a signal's last life; null: it never ended. */
    end: (workspace: string, key: string) => read.get<SignalEndDoc>('signal_ends', signalId(workspace, key)),
  };
}
