import type { ScenarioStatus } from '../../domain/scenarios/state.js';
import type { Reader } from '../engine/reader.js';
import { goalKey, scenarioDocId, type ScenarioDoc } from './documents.js';

export type ScenarioQueries = ReturnType<typeof scenarioQueries>;

export const scenarioQueries = (read: Reader) => ({
  /** Null: the workspace has none with this id. */
  scenario: (workspace: string, scenarioId: string): Promise<ScenarioDoc | null> =>
    read.get<ScenarioDoc>('scenarios', scenarioDocId(workspace, scenarioId)),

  /** Of a goal the newest first, and how many there are in all; `status` null: whichever. */
  async page(
    workspace: string,
    goalId: string,
    status: ScenarioStatus | null,
    paging: { readonly offset: number; readonly limit: number },
  ) {
    const where = { goal: goalKey(workspace, goalId), ...(status !== null && { status }) };
    const sort = { by: ['position', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<ScenarioDoc>('scenarios', { where, sort, ...paging }),
      read.count('scenarios', where),
    ]);
    return { items, total };
  },

  /** Those of one workspace that are not over, oldest first: of the first that has any behind another. */
  async openBehind(workspace: string, limit: number): Promise<ScenarioDoc[]> {
    const where = { open: true, workspace: { gt: workspace } };
    const sort = { by: ['workspace', 'requested_at', '_id'] };
    const [first] = await read.find<ScenarioDoc>('scenarios', { where, sort, limit: 1 });
    if (!first) return [];
    return read.find<ScenarioDoc>('scenarios', {
      where: { open: true, workspace: first.workspace },
      ...{ sort: { by: ['requested_at', '_id'] }, limit },
    });
  },
});
