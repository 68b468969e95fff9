import { fairTurn } from '../../fair-turns.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Reader } from '../engine/reader.js';
import type { Stored, Where } from '../engine/read-models.js';
import { signalDirectories } from './directory.js';
import type { SignalDoc, SignalGroupDoc, SignalRevisionDoc, SignalWorkspaceDoc } from './documents.js';
import { groupId, revisionId, signalId } from './ids.js';

export type SortBy = 'key' | 'last_at' | 'count';
export type Order = { readonly by: SortBy; readonly descending: boolean };
/** Which signals of a workspace; `group` null: all. */
export type Some = { readonly workspace: string; readonly group: string | null };

/** Which replacements: of values at times from one to another (both included), made by a moment. */
export type Replaced = {
  readonly from: number;
  readonly to: number;
  readonly descending: boolean;
  readonly asOf: number | null;
};

/** Rows that are passed over in one go. */
const STEP = 5_000;
/** Replacements that are read in one go: each may hold a thousand points. */
const REPLACEMENTS = 20;

export type SignalLists = ReturnType<typeof signalLists>;

/**
 * Signals of one workspace, many at a time. Each list follows an index, so that a page reads only its own
 * rows.
 */
export function signalLists(read: Reader) {
  const where = ({ workspace, group }: Some, by: SortBy): Where => {
    if (group !== null) return { workspace, group };
    return by === 'key' ? { _id: { prefix: signalId(workspace, '') } } : { workspace };
  };
  const sort = (
    { group }: Some,
    { by, descending }: Order,
  ): { by: readonly (SortBy | '_id')[]; descending: boolean } => ({
    by: by !== 'key' ? [by, 'key'] : [group === null ? '_id' : 'key'],
    descending,
  });

  /** All of them in order, page by page; others have their turn between two pages. */
  async function* ordered(some: Some, order: Order): AsyncGenerator<Stored<SignalDoc>[]> {
    const query = { where: where(some, order.by), sort: sort(some, order) };
    for await (const page of read.pages<SignalDoc>('signals', query)) {
      yield page;
      await fairTurn(some.workspace);
    }
  }

  return {
    /**
     * A part of them in order, ties by key. To what lies deep in it, it goes by steps, with a turn for others
     * between two.
     */
    async range(some: Some, order: Order, offset: number, limit: number): Promise<Stored<SignalDoc>[]> {
      const query = { where: where(some, order.by), sort: sort(some, order) };
      const { by } = query.sort;
      let after: (string | number)[] | undefined;
      let left = offset;
      for (; left > STEP; left -= STEP) {
        const [last] = await read.find<SignalDoc>('signals', {
          ...query,
          ...(after && { after }),
          offset: STEP - 1,
          limit: 1,
        });
        if (!last) return [];
        after = by.map(field => last[field]);
        await fairTurn(some.workspace);
      }
      return read.find<SignalDoc>('signals', { ...query, ...(after && { after }), offset: left, limit });
    },

    ordered,
    /** All of them by key. */
    pages: (some: Some) => ordered(some, { by: 'key', descending: false }),
    matching: signalDirectories(read).matching,

    async count({ workspace, group }: Some): Promise<number> {
      if (group !== null)
        return (await read.get<SignalGroupDoc>('signal_groups', groupId(workspace, group)))?.count ?? 0;
      return (await read.get<SignalWorkspaceDoc>('signal_workspaces', workspace))?.signals ?? 0;
    },

    /** Signals in whatever workspaces, by `_id`. */
    at: (places: readonly WorkspaceKey[]): Promise<Map<string, Stored<SignalDoc>>> =>
      read.load<SignalDoc>(
        'signals',
        places.map(({ workspace, key }) => signalId(workspace, key)),
      ),

    /**
     * Replacements of a signal's values that touch a span of time and were made by a moment (`asOf`; null: by
     * now), page by page: `first` (a revision of its journal; null: any) and those behind it, in the order in
     * which they were made or the other way round.
     */
    replacements(
      { workspace, key }: WorkspaceKey,
      { from, to, descending, asOf }: Replaced,
      first: number | null,
    ) {
      const signal = signalId(workspace, key);
      return read.pages<SignalRevisionDoc>('signal_revisions', {
        where: {
          signal,
          from: { lte: to },
          to: { gte: from },
          ...(asOf !== null && { until: { lte: asOf } }),
        },
        sort: { by: ['_id'], descending },
        limit: REPLACEMENTS,
        ...(first !== null && { after: [revisionId(signal, first + (descending ? 1 : -1))] }),
      });
    },

    /** The groups of a workspace that have signals, the one with the most first. */
    largestGroups: (workspace: string, limit: number) =>
      read.find<SignalGroupDoc>('signal_groups', {
        where: { workspace, count: { gt: 0 } },
        sort: { by: ['count', 'name'], descending: true },
        limit,
      }),

    /** All groups of a workspace that have signals, page by page. */
    groups: (workspace: string) =>
      read.pages<SignalGroupDoc>('signal_groups', {
        where: { workspace, count: { gt: 0 } },
        sort: { by: ['count', 'name'], descending: true },
      }),
  };
}
