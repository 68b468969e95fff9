import type { Fact } from '../../domain/fact.js';
import type { TournamentFact } from '../../domain/tournaments/facts.js';
import type { TournamentStatus } from '../../domain/tournaments/state.js';
import type { Reader } from '../engine/reader.js';
import { goalKey, tournamentDocId, type TournamentDoc } from './documents.js';

export type TournamentQueries = ReturnType<typeof tournamentQueries>;

export function tournamentQueries(read: Reader) {
  const tournament = (workspace: string, tournamentId: string): Promise<TournamentDoc | null> =>
    read.get<TournamentDoc>('tournaments', tournamentDocId(workspace, tournamentId));
  const newestFirst = { by: ['started_at', '_id'], descending: true };
  return {
    /** Null: the workspace has none with this id. */
    tournament,

    /** How a fact's tournament stands, that fact included. */
    after: ({ data, meta }: Fact<TournamentFact>): Promise<TournamentDoc | null> =>
      tournament(meta.workspace!, data.tournamentId),

    /** Of a goal the newest first, and how many there are in all; `status` null: whichever. */
    async page(
      workspace: string,
      goalId: string,
      status: TournamentStatus | null,
      paging: { readonly offset: number; readonly limit: number },
    ) {
      const where = { goal: goalKey(workspace, goalId), ...(status !== null && { status }) };
      const [items, total] = await Promise.all([
        read.find<TournamentDoc>('tournaments', { where, sort: newestFirst, ...paging }),
        read.count('tournaments', where),
      ]);
      return { items, total };
    },

    /** How many there were of a goal. */
    count: (workspace: string, goalId: string): Promise<number> =>
      read.count('tournaments', { goal: goalKey(workspace, goalId) }),

    /** The newest of a goal; null: there was none. */
    async last(workspace: string, goalId: string): Promise<TournamentDoc | null> {
      const where = { goal: goalKey(workspace, goalId) };
      const found = await read.find<TournamentDoc>('tournaments', { where, sort: newestFirst, limit: 1 });
      return found[0] ?? null;
    },

    /** The newest of a workspace that ended with a decision. */
    decided: (workspace: string, limit: number): Promise<TournamentDoc[]> =>
      read.find<TournamentDoc>('tournaments', {
        where: { open: false, workspace, status: 'completed' },
        sort: newestFirst,
        limit,
      }),

    /** One of a goal that is not over; null: there is none. */
    async open(workspace: string, goalId: string): Promise<TournamentDoc | null> {
      const where = { goal: goalKey(workspace, goalId), open: true };
      const found = await read.find<TournamentDoc>('tournaments', { where, sort: newestFirst, limit: 1 });
      return found[0] ?? null;
    },

    /** Those of one workspace that are not over, oldest first: of the first that has any behind another. */
    async openBehind(workspace: string, limit: number): Promise<TournamentDoc[]> {
      const sort = { by: ['workspace', 'started_at', '_id'] };
      const where = { open: true, workspace: { gt: workspace } };
      const [first] = await read.find<TournamentDoc>('tournaments', { where, sort, limit: 1 });
      if (!first) return [];
      return read.find<TournamentDoc>('tournaments', {
        where: { open: true, workspace: first.workspace },
        sort: { by: ['started_at', '_id'] },
        limit,
      });
    },
  };
}
