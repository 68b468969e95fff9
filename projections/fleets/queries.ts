import { didBy, lostTogether, type Did } from '../../domain/fleets/record.js';
import type { FleetStatus } from '../../domain/fleets/state.js';
import type { Reader } from '../engine/reader.js';
import { fleetDocId, type FleetDoc, type FleetGoalDoc } from './documents.js';

export type FleetQueries = ReturnType<typeof fleetQueries>;
type Paging = { readonly limit: number; readonly offset: number };

export const fleetQueries = (read: Reader) => {
  const byId = { by: ['_id'] };
  return {
    /** Null: the workspace has none with this id. */
    fleet: (workspace: string, fleetId: string) =>
      read.get<FleetDoc>('fleets', fleetDocId(workspace, fleetId)),
    /** Newest first, and how many there are in all. */
    async fleets(workspace: string, status: FleetStatus | undefined, paging: Paging) {
      const where = { workspace, ...(status !== undefined && { status }) };
      const sort = { by: ['created_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<FleetDoc>('fleets', { where, sort, ...paging }),
        read.count('fleets', where),
      ]);
      return { items, total };
    },
    /** How the goals of a fleet did in the month up to the newest day on which something came, by goal id. */
    async did(workspace: string, fleetId: string): Promise<ReadonlyMap<string, Did>> {
      const found = new Map<string, Did>();
      const query = { where: { fleet: fleetDocId(workspace, fleetId) }, sort: byId };
      for await (const page of read.pages<FleetGoalDoc>('fleet_goals', query))
        for (const { goal_id, days, metric, scale } of page)
          found.set(goal_id, didBy(lostTogether(days.map(({ lost }) => lost)), metric, scale));
      return found;
    },
    /** Whoever's, page by page: those that something is being done for. */
    atWork: () =>
      read.pages<FleetDoc>('fleets', { where: { work: { gt: '' } }, sort: { by: ['work', '_id'] } }),
    /** Whoever's, page by page: those that look for entities that are new. */
    looking: () => read.pages<FleetDoc>('fleets', { where: { looks: true }, sort: byId }),
  };
};
