import type { Reader } from '../engine/reader.js';
import {
  effectsDocId,
  episodeDocId,
  shockDocId,
  type EffectsDoc,
  type EpisodeDoc,
  type ShockDoc,
} from './documents.js';

export type ShockQueries = ReturnType<typeof shockQueries>;

export const shockQueries = (read: Reader) => ({
  /** What an event did to goals. */
  effects: async (workspace: string, eventId: string): Promise<EffectsDoc['effects']> =>
    (await read.get<EffectsDoc>('event_effects', effectsDocId(workspace, eventId)))?.effects ?? [],
  /** Null: the goal never was in a shock. */
  ofGoal: (workspace: string, goalId: string) => read.get<ShockDoc>('shocks', shockDocId(workspace, goalId)),
  /** By goal id, of those that were in a shock. */
  async ofGoals(workspace: string, goalIds: readonly string[]): Promise<Map<string, ShockDoc>> {
    const docs = await read.load<ShockDoc>(
      'shocks',
      goalIds.map(id => shockDocId(workspace, id)),
    );
    return new Map([...docs.values()].map(doc => [doc.goal_id, doc]));
  },
  /** Whoever's, page by page: those that are in a shock. */
  open: () => read.pages<ShockDoc>('shocks', { where: { open: true }, sort: { by: ['_id'] } }),
  /** Null: the goal has had none with this id. */
  episode: (workspace: string, goalId: string, episodeId: string) =>
    read.get<EpisodeDoc>('shock_episodes', episodeDocId(workspace, goalId, episodeId)),
  /** Of a goal the newest first, and how many there were in all. */
  async episodes(
    workspace: string,
    goalId: string,
    paging: { readonly offset: number; readonly limit: number },
  ) {
    const where = { goal: shockDocId(workspace, goalId) };
    const sort = { by: ['since', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<EpisodeDoc>('shock_episodes', { where, sort, ...paging }),
      read.count('shock_episodes', where),
    ]);
    return { items, total };
  },
});
