import type { Reader } from '../engine/reader.js';
import { goalKey, type AnswerDoc } from './documents.js';

export type AnalystQueries = ReturnType<typeof analystQueries>;

export const analystQueries = (read: Reader) => ({
  /** Of a goal the newest first, and how many there are in all. */
  async page(workspace: string, goalId: string, paging: { readonly offset: number; readonly limit: number }) {
    const where = { goal: goalKey(workspace, goalId) };
    const sort = { by: ['position', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<AnswerDoc>('analyst_answers', { where, sort, ...paging }),
      read.count('analyst_answers', where),
    ]);
    return { items, total };
  },
});
