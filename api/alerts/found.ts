import type { Outcome } from '../../commands/engine/handle.js';
import type { AlertFact } from '../../domain/alerts/facts.js';
import { alertNotFound, instanceNotFound, notAuthor } from '../../domain/alerts/refusals.js';
import type { AlertJournal } from '../../domain/alerts/state.js';
import type { Fact } from '../../domain/fact.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import { roleReaches } from '../../domain/groups/roles.js';
import { alertAfter } from '../../projections/alerts/changes.js';
import type { AlertDoc, InstanceDoc } from '../../projections/alerts/documents.js';
import type { Caller } from '../edge/row.js';
import type { AlertDeps } from './deps.js';

/** Of a path: `goal_id` below a goal alone. */
export type Ids = {
  readonly goal_id?: string;
  readonly alert_id?: string;
  readonly instance_id?: string;
};

/** How far the goal of a path is forecast; null: it names none. @throws Rejected 404 */
export async function horizonIn(
  { horizonOf }: Pick<AlertDeps, 'horizonOf'>,
  workspace: string,
  { goal_id: goalId }: Ids,
): Promise<number | null> {
  if (goalId === undefined) return null;
  const horizon = await horizonOf(workspace, goalId);
  if (horizon === null) throw goalNotFound();
  return horizon;
}

/** @throws Rejected 404 */
export async function found(
  deps: Pick<AlertDeps, 'queries' | 'horizonOf'>,
  workspace: string,
  ids: Ids,
): Promise<AlertDoc> {
  await horizonIn(deps, workspace, ids);
  const doc = await deps.queries.alert(workspace, ids.alert_id!);
  if (!doc || (ids.goal_id !== undefined && doc.goal_id !== ids.goal_id)) throw alertNotFound();
  return doc;
}

/** One that the caller may change: analysts their own alone. @throws Rejected 403, 404 */
export async function foundOwn(
  deps: Pick<AlertDeps, 'queries' | 'horizonOf'>,
  workspace: string,
  ids: Ids,
  { uid, role }: Pick<Caller, 'uid' | 'role'>,
): Promise<AlertDoc> {
  const doc = await found(deps, workspace, ids);
  if (doc.state.by !== uid && role !== null && !roleReaches(role, 'editor')) throw notAuthor();
  return doc;
}

/** @throws Rejected 404 */
export async function instanceOf(
  { queries }: Pick<AlertDeps, 'queries'>,
  { workspace, alert_id }: AlertDoc,
  instanceId: string,
): Promise<InstanceDoc> {
  const doc = await queries.instance(workspace, instanceId);
  if (doc?.alert_id !== alert_id) throw instanceNotFound();
  return doc;
}

/**
 * A rule with what was decided of it just now, also where read models take too long to show it. `before`: as
 * it was read before; null: it is new.
 */
export async function foundAfter(
  { queries, visible }: Pick<AlertDeps, 'queries' | 'visible'>,
  { workspace, alertId }: { readonly workspace: string; readonly alertId: string },
  before: AlertDoc | null,
  { facts, position }: Outcome<AlertFact, AlertJournal>,
): Promise<AlertDoc> {
  await visible(position);
  const doc = position === null ? null : await queries.alert(workspace, alertId);
  if (doc && doc._at >= position!) return doc;
  const after = (facts as readonly Fact<AlertFact>[]).reduce(alertAfter, before);
  if (!after) throw alertNotFound();
  return after;
}
