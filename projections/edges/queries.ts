import { ACTING, EDGE_STATUSES, type EdgeStatus } from '../../domain/goals/ports.js';
import { summaryOf, type SourceSummary } from '../../domain/edges/summary.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import { edgeDocId, goalKey, sourceOf, type EdgeDoc } from './documents.js';

export type EdgeQueries = ReturnType<typeof edgeQueries>;
/** A source, and a goal that it drives. */
export type Driving = Pick<EdgeDoc, 'goal_id' | 'kind' | 'source_key'>;

/** Sources, or goals, asked of at once. */
const AT_ONCE = 200;
const byId = { by: ['_id'] };

export function edgeQueries(read: Reader) {
  const all = async (where: Parameters<Reader['count']>[1]): Promise<Stored<EdgeDoc>[]> => {
    const found: Stored<EdgeDoc>[] = [];
    for await (const page of read.pages<EdgeDoc>('edges', { where, sort: byId })) found.push(...page);
    return found;
  };
  const acting = { in: ACTING };
  return {
    /** Null: the workspace has none with this id. */
    edge: (workspace: string, edgeId: string): Promise<EdgeDoc | null> =>
      read.get<EdgeDoc>('edges', edgeDocId(workspace, edgeId)),

    /** All of a goal, by id. */
    ofGoal: (workspace: string, goalId: string) => all({ goal: goalKey(workspace, goalId) }),
    /** Those of a goal that act. */
    actingOfGoal: (workspace: string, goalId: string) =>
      all({ goal: goalKey(workspace, goalId), status: acting }),
    /** All that come from a source, to whichever goal. */
    ofSource: (workspace: string, sourceKey: string) => all({ source: sourceOf(workspace, sourceKey) }),
    actingOfSource: (workspace: string, sourceKey: string) =>
      all({ source: sourceOf(workspace, sourceKey), status: acting }),

    /** Ids of the goals that a source drives now. */
    async driven(workspace: string, sourceKey: string): Promise<readonly string[]> {
      const where = { source: sourceOf(workspace, sourceKey), status: acting };
      const found = await read.find<EdgeDoc>('edges', { where, fields: ['goal_id'] });
      return [...new Set(found.map(({ goal_id }) => goal_id))];
    },

    /** Edges that act and come from some signals or event streams: which goals these drive now. */
    async driving(
      workspace: string,
      keys: readonly string[],
      streams: readonly string[],
    ): Promise<readonly Driving[]> {
      const asked = { signal: new Set(keys), event_stream: new Set(streams) };
      const all = [...new Set([...keys, ...streams])];
      const found: Driving[] = [];
      for (let at = 0; at < all.length; at += AT_ONCE) {
        const sources = all.slice(at, at + AT_ONCE).map(key => sourceOf(workspace, key));
        const where = { source: { in: sources }, status: acting };
        const fields = ['goal_id', 'kind', 'source_key'];
        for await (const page of read.pages<EdgeDoc>('edges', { where, sort: byId, fields }))
          found.push(...page.filter(({ kind, source_key }) => asked[kind].has(source_key)));
      }
      return found;
    },

    /** How each of a goal's edges stands, by id. */
    async statuses(workspace: string, goalId: string): Promise<ReadonlyMap<string, EdgeStatus>> {
      const where = { goal: goalKey(workspace, goalId) };
      const found = new Map<string, EdgeStatus>();
      const fields = ['edge_id', 'status'];
      for await (const page of read.pages<EdgeDoc>('edges', { where, sort: byId, fields }))
        for (const { edge_id, status } of page) found.set(edge_id, status);
      return found;
    },

    /** Edges of a goal by id, and how many there are in all; `status` null: whichever. */
    async page(
      workspace: string,
      goalId: string,
      wanted: { readonly status: EdgeStatus | null; readonly kind: EdgeDoc['kind'] | null },
      paging: { readonly offset: number; readonly limit: number },
    ) {
      const where = {
        goal: goalKey(workspace, goalId),
        ...(wanted.status !== null && { status: wanted.status }),
        ...(wanted.kind !== null && { kind: wanted.kind }),
      };
      const [items, total] = await Promise.all([
        read.find<EdgeDoc>('edges', { where, sort: byId, ...paging }),
        read.count('edges', where),
      ]);
      return { items, total };
    },

    /** How many edges of each status goals have, by goal; of whom there are none is absent. */
    async counts(workspace: string, goalIds: readonly string[]) {
      const found = new Map<string, Partial<Record<EdgeStatus, number>>>();
      for (let at = 0; at < goalIds.length; at += AT_ONCE) {
        const goals = goalIds.slice(at, at + AT_ONCE).map(id => goalKey(workspace, id));
        const where = { goal: { in: goals }, status: { in: EDGE_STATUSES } };
        const fields = ['goal_id', 'status'];
        for await (const page of read.pages<EdgeDoc>('edges', { where, sort: byId, fields }))
          for (const { goal_id, status } of page) {
            const counts = found.get(goal_id) ?? {};
            found.set(goal_id, { ...counts, [status]: (counts[status] ?? 0) + 1 });
          }
      }
      return found;
    },

    /** What sources do to goals, by key; a source of which no edge was ever validated is absent. */
    async summaries(
      workspace: string,
      sourceKeys: readonly string[],
    ): Promise<ReadonlyMap<string, SourceSummary>> {
      const found = new Map<string, EdgeDoc[]>();
      for (let at = 0; at < sourceKeys.length; at += AT_ONCE) {
        const sources = sourceKeys.slice(at, at + AT_ONCE).map(key => sourceOf(workspace, key));
        const where = { source: { in: sources } };
        const fields = ['source_key', 'goal_id', 'status', 'lift', 'half_life_s', 'validated'];
        for await (const page of read.pages<EdgeDoc>('edges', { where, sort: byId, fields }))
          for (const doc of page) {
            if (!doc.validated) continue;
            const same = found.get(doc.source_key);
            if (same) same.push(doc);
            else found.set(doc.source_key, [doc]);
          }
      }
      return new Map([...found].map(([key, docs]) => [key, summaryOf(docs)]));
    },
  };
}
