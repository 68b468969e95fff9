import type { Reader } from '../engine/reader.js';
import { goalKey, revisionDocId, type GoalRevisionDoc, type RevisionDoc } from './documents.js';

export type RevisionQueries = ReturnType<typeof revisionQueries>;

export const revisionQueries = (read: Reader) => ({
  /** Null: the workspace has none with this id. */
  revision: (workspace: string, revisionId: string): Promise<RevisionDoc | null> =>
    read.get<RevisionDoc>('revisions', revisionDocId(workspace, revisionId)),

  /** Those of a goal's history, the newest first, and how many there are in all. */
  async ofGoal(
    workspace: string,
    goalId: string,
    paging: { readonly offset: number; readonly limit: number },
  ) {
    const where = { goal: goalKey(workspace, goalId) };
    const sort = { by: ['position', '_id'], descending: true };
    const [found, total] = await Promise.all([
      read.find<GoalRevisionDoc>('goal_revisions', { where, sort, ...paging }),
      read.count('goal_revisions', where),
    ]);
    const docs = await read.load<RevisionDoc>(
      'revisions',
      found.map(({ revision }) => revision),
    );
    return { items: found.flatMap(({ revision }) => docs.get(revision) ?? []), total };
  },

  /**
   * The number of a workspace's first revision that takes causes after a time, epoch ms; where there is none,
   * the next number.
   */
  async firstClosingAfter(workspace: string, time: number): Promise<number> {
    const [first] = await read.find<RevisionDoc>('revisions', {
      where: { workspace, closes_at: { gt: time } },
      sort: { by: ['closes_at', 'number', '_id'] },
      limit: 1,
      fields: ['number'],
    });
    return first?.number ?? read.count('revisions', { workspace });
  },

  /** Of one workspace those that are not over and take no more causes: of the first behind another. */
  async dueBehind(workspace: string, now: number, limit: number): Promise<RevisionDoc[]> {
    const [first] = await read.find<RevisionDoc>('revisions', {
      where: { open: true, workspace: { gt: workspace }, closes_at: { lte: now } },
      sort: { by: ['workspace', 'number', '_id'] },
      limit: 1,
      fields: ['workspace'],
    });
    if (!first) return [];
    return read.find<RevisionDoc>('revisions', {
      where: { open: true, workspace: first.workspace, closes_at: { lte: now } },
      sort: { by: ['number', '_id'] },
      limit,
    });
  },
});
