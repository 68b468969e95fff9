import type { AlertKind } from '../../domain/alerts/kinds.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import {
  alertDocId,
  goalKey,
  instanceDocId,
  streamKey,
  type AlertDoc,
  type InstanceDoc,
} from './documents.js';

export type AlertQueries = ReturnType<typeof alertQueries>;
type Paging = { readonly limit: number; readonly offset: number };
/** Which rules of a workspace; `goalId` undefined: of all goals, and of none. */
export type AlertsWanted = {
  readonly goalId?: string | undefined;
  readonly kind?: AlertKind | undefined;
};

/** Rules that are looked at at a time. */
const AT_ONCE = 200;

export function alertQueries(read: Reader) {
  const all = async (where: Parameters<Reader['find']>[1]['where'], by: readonly string[]) => {
    const found: Stored<AlertDoc>[] = [];
    for await (const page of read.pages<AlertDoc>('alerts', { where, sort: { by } })) found.push(...page);
    return found;
  };
  return {
    /** Null: the workspace has none with this id. */
    alert: (workspace: string, alertId: string) =>
      read.get<AlertDoc>('alerts', alertDocId(workspace, alertId)),
    /** A page of those that are wanted, the newest first, and how many there are in all. */
    async alerts(workspace: string, { goalId, kind }: AlertsWanted, paging: Paging) {
      const where = {
        ...(goalId === undefined ? { workspace } : { goal: goalKey(workspace, goalId) }),
        ...(kind !== undefined && { kind }),
      };
      const sort = { by: ['created_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<AlertDoc>('alerts', { where, sort, ...paging }),
        read.count('alerts', where),
      ]);
      return { items, total };
    },
    /** How many a workspace has, or one of its goals. */
    count: (workspace: string, goalId: string | null): Promise<number> =>
      read.count('alerts', goalId === null ? { workspace } : { goal: goalKey(workspace, goalId) }),
    /** All of a goal. */
    ofGoal: (workspace: string, goalId: string) =>
      all({ goal: goalKey(workspace, goalId) }, ['created_at', '_id']),
    /** All that wait at a stream and are enabled, page by page. */
    ofStream: (workspace: string, stream: string) =>
      read.pages<AlertDoc>('alerts', {
        where: { stream: streamKey(workspace, stream), enabled: true },
        ...{ sort: { by: ['_id'] }, limit: AT_ONCE },
      }),
    /** All streams at which rules wait (`streamKey`), page by page, with repeats. */
    async *streams(): AsyncGenerator<string[]> {
      for await (const page of read.pages<AlertDoc>('alerts', {
        where: { stream: { gt: '' } },
        ...{ sort: { by: ['stream', '_id'] }, fields: ['stream'] },
      }))
        yield page.map(({ stream }) => stream!);
    },
    /** Whoever's: the next few rules that are enabled, behind an id. */
    enabled: (behind: string) =>
      read.find<AlertDoc>('alerts', {
        where: { enabled: true, _id: { gt: behind } },
        ...{ sort: { by: ['_id'] }, limit: AT_ONCE },
      }),
    /** Rules of a goal that could not be checked. */
    failing: (workspace: string, goalId: string): Promise<number> =>
      read.count('alerts', { goal: goalKey(workspace, goalId), failing: true }),
    /** Null: the workspace has none with this id. */
    instance: (workspace: string, instanceId: string) =>
      read.get<InstanceDoc>('alert_instances', instanceDocId(workspace, instanceId)),
    /** Of a rule the newest first, and how many there are in all; `state` null: whichever. */
    async instances({ _id }: Pick<AlertDoc, '_id'>, state: InstanceDoc['state'] | null, paging: Paging) {
      const where = { alert: _id, ...(state !== null && { state }) };
      const sort = { by: ['fired_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<InstanceDoc>('alert_instances', { where, sort, ...paging }),
        read.count('alert_instances', where),
      ]);
      return { items, total };
    },
  };
}
