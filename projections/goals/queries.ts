import type { GoalModel } from '../../domain/goals/model.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import { goalDocId, type GoalDoc, type HappeningDoc } from './documents.js';

export type GoalQueries = ReturnType<typeof goalQueries>;
type Paging = { readonly limit: number; readonly offset: number };
export const GOAL_ORDERS = ['created_at', 'updated_at', 'name'] as const;

/** The deployments that a model asks. */
function promotionsOf(model: GoalModel | null): readonly string[] {
  const singles = model?.kind === 'ensemble' ? model.members.map(member => member.model) : [model];
  return [...new Set(singles)].flatMap(single =>
    single?.kind === 'served' && single.promotionId !== null ? [single.promotionId] : [],
  );
}

/** Something is done for them. */
const RUNNING = ['discovering', 'competing', 'active'] as const;

/** Which goals of a workspace. */
export type GoalsWanted = {
  readonly status?: GoalDoc['status'] | undefined;
  readonly fleetId?: string | undefined;
  /** Made until then, epoch ms. */
  readonly madeBy?: number | undefined;
};
export type GoalOrder = { readonly by: (typeof GOAL_ORDERS)[number]; readonly descending: boolean };

const whereOf = (workspace: string, { status, fleetId, madeBy }: GoalsWanted) => ({
  workspace,
  ...(status !== undefined && { status }),
  ...(fleetId !== undefined && { fleet_id: fleetId }),
  ...(madeBy !== undefined && { created_at: { lte: madeBy } }),
});

export const goalQueries = (read: Reader) => {
  const byId = { by: ['_id'] };
  return {
    /** Null: the workspace has none with this id. */
    goal: (workspace: string, goalId: string) => read.get<GoalDoc>('goals', goalDocId(workspace, goalId)),
    /** Whoever's; null: there is none with this id. */
    async byId(goalId: string): Promise<Stored<GoalDoc> | null> {
      const [doc] = await read.find<GoalDoc>('goals', { where: { goal_id: goalId }, limit: 1 });
      return doc ?? null;
    },
    /** A page of those that are wanted, and how many there are in all. */
    async goals(workspace: string, wanted: GoalsWanted, order: GoalOrder, paging: Paging) {
      const where = whereOf(workspace, wanted);
      const sort = { by: [order.by, '_id'], descending: order.descending };
      const [items, total] = await Promise.all([
        read.find<GoalDoc>('goals', { where, sort, ...paging }),
        read.count('goals', where),
      ]);
      return { items, total };
    },
    /** All that are wanted, page by page. */
    pages: (workspace: string, wanted: GoalsWanted, order: GoalOrder) =>
      read.pages<GoalDoc>('goals', {
        where: whereOf(workspace, wanted),
        sort: { by: [order.by, '_id'], descending: order.descending },
      }),
    /** Those that count to a plan's cap. */
    count: (workspace: string): Promise<number> => read.count('goals', { workspace, counts: true }),
    /** Whoever's, page by page: those that are active. */
    active: () => read.pages<GoalDoc>('goals', { where: { status: 'active' }, sort: byId }),
    /** The shortest cadence of those of a workspace that are active, whole seconds; null: none is. */
    async smallestCadence(workspace: string): Promise<number | null> {
      const [found] = await read.find<GoalDoc>('goals', {
        where: { workspace, status: 'active', cadence_s: { gt: 0 } },
        sort: { by: ['cadence_s'] },
        ...{ limit: 1, fields: ['cadence_s'] },
      });
      return found?.cadence_s ?? null;
    },
    /** Of a workspace, page by page: those that run or rest. */
    inForce: (workspace: string) =>
      read.pages<GoalDoc>('goals', {
        where: { workspace, status: { in: [...RUNNING, 'paused'] } },
        sort: byId,
      }),
    /** What those that run or rest are called and forecast, the first by id. */
    names: (workspace: string, limit: number) =>
      read.find<Pick<GoalDoc, '_id' | 'name' | 'target' | 'fleet_id'>>('goals', {
        where: { workspace, status: { in: [...RUNNING, 'paused'] } },
        sort: byId,
        limit,
        fields: ['name', 'target', 'fleet_id'],
      }),
    /** Those of a fleet, page by page, in order of their ids. */
    ofFleet: (workspace: string, fleetId: string) =>
      read.pages<GoalDoc>('goals', { where: { workspace, fleet_id: fleetId }, sort: byId }),
    /** Those that forecast a signal. */
    async ofTarget(workspace: string, target: string): Promise<Stored<GoalDoc>[]> {
      const found: Stored<GoalDoc>[] = [];
      const query = { where: { workspace, target }, sort: byId };
      for await (const page of read.pages<GoalDoc>('goals', query)) found.push(...page);
      return found;
    },
    /** Those that run for one of some signals. */
    async inUse(workspace: string, targets: readonly string[]): Promise<Stored<GoalDoc>[]> {
      const found: Stored<GoalDoc>[] = [];
      const where = { workspace, target: { in: targets }, status: { in: RUNNING } };
      for await (const page of read.pages<GoalDoc>('goals', { where, sort: byId })) found.push(...page);
      return found;
    },
    /** Of some goals those that run. */
    async running(workspace: string, goalIds: readonly string[]): Promise<Stored<GoalDoc>[]> {
      const found: Stored<GoalDoc>[] = [];
      if (goalIds.length === 0) return found;
      const where = { workspace, goal_id: { in: goalIds }, status: { in: RUNNING } };
      for await (const page of read.pages<GoalDoc>('goals', { where, sort: byId })) found.push(...page);
      return found;
    },
    /** Ids of those that run, by the deployments that their champions ask. */
    async byPromotion(workspace: string): Promise<ReadonlyMap<string, readonly string[]>> {
      const found = new Map<string, string[]>();
      const where = { workspace, status: { in: RUNNING } };
      for await (const page of read.pages<GoalDoc>('goals', { where, sort: byId }))
        for (const { goal_id, state } of page)
          for (const promotionId of promotionsOf(state.champion?.model ?? null))
            found.set(promotionId, [...(found.get(promotionId) ?? []), goal_id]);
      return found;
    },
    /** Ids of those that name a segment and are not archived, 100 at most. */
    async onSegment(workspace: string, segmentId: string): Promise<string[]> {
      const where = { workspace, segment_id: segmentId, counts: true };
      const found = await read.find<GoalDoc>('goals', { where, sort: byId, limit: 100 });
      return found.map(({ goal_id }) => goal_id);
    },
    /** The id of the newest that names a pipeline and is not archived; null: there is none. */
    async ofPipeline(workspace: string, pipelineId: string): Promise<string | null> {
      const where = { workspace, pipeline_id: pipelineId, counts: true };
      const sort = { by: ['created_at', '_id'], descending: true };
      const [doc] = await read.find<GoalDoc>('goals', { where, sort, limit: 1 });
      return doc?.goal_id ?? null;
    },
    /** Newest first. */
    async timeline({ _id }: Pick<GoalDoc, '_id'>, paging: Paging) {
      const where = { goal: _id };
      const sort = { by: ['position', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<HappeningDoc>('goal_timeline', { where, sort, ...paging }),
        read.count('goal_timeline', where),
      ]);
      return { items, total };
    },
  };
};
