import type { Outcome } from '../../commands/engine/handle.js';
import type { Fact } from '../../domain/fact.js';
import type { GoalFact } from '../../domain/goals/facts.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { GoalState } from '../../domain/goals/state.js';
import { goalAfter } from '../../projections/goals/changes.js';
import { nextContest, type GoalDoc } from '../../projections/goals/documents.js';
import { asOfHeaders, asOfView } from '../edge/as-of.js';
import type { GoalDeps } from './deps.js';
import { goalView } from './views.js';

type Finding = Pick<GoalDeps, 'queries' | 'visible'>;

/** @throws Rejected 404 */
export async function found({ queries }: Pick<Finding, 'queries'>, workspace: string, goalId: string) {
  const doc = await queries.goal(workspace, goalId);
  if (!doc) throw goalNotFound();
  return doc;
}

/**
 * A goal with what was decided of it just now, also where read models take too long to show it, or where it
 * was only tried. `before`: as it was read before; null: it is new.
 */
export async function foundAfter(
  { queries, visible }: Finding,
  workspace: string,
  goalId: string,
  before: GoalDoc | null,
  { facts, position }: Outcome<GoalFact, GoalState>,
): Promise<GoalDoc> {
  await visible(position);
  const doc = position === null ? null : await queries.goal(workspace, goalId);
  if (doc && doc._at >= position!) return doc;
  const after = (facts as readonly Fact<GoalFact>[]).reduce(goalAfter, before);
  if (!after) throw goalNotFound();
  return after;
}

/** As it was at a moment, epoch ms. @throws Rejected 404 */
export async function foundThen(
  { goalThen }: Pick<GoalDeps, 'goalThen'>,
  workspace: string,
  goalId: string,
  asOf: number,
): Promise<GoalDoc> {
  const doc = await goalThen(workspace, goalId, asOf);
  if (!doc) throw goalNotFound();
  return doc;
}

/** Goals of one workspace as they are, or were, shown, each with what others know, or knew, of it. */
export async function shownOf(
  { beside }: Pick<GoalDeps, 'beside'>,
  workspace: string,
  docs: readonly GoalDoc[],
  asOf: number | null = null,
) {
  const ids = docs.map(({ goal_id }) => goal_id);
  const { then } = beside;
  const [edges, forecasts, shocks] = await Promise.all([
    asOf === null ? beside.edges(workspace, ids) : then.edges(workspace, ids, asOf),
    asOf === null ? beside.forecasts(workspace, ids) : then.forecasts(workspace, docs, asOf),
    asOf === null ? beside.shocks(workspace, ids) : then.shocks(workspace, ids, asOf),
  ]);
  return docs.map(doc => {
    const id = doc.goal_id;
    return goalView(doc, {
      ...{ edges: edges.get(id), forecasts: forecasts.get(id), shock: shocks.get(id) },
      nextContest: asOf === null ? nextContest(doc) : null,
    });
  });
}

/** One goal as an answer. */
export async function shown(deps: Pick<GoalDeps, 'beside'>, doc: GoalDoc) {
  const [one] = await shownOf(deps, doc.workspace, [doc]);
  return { body: { data: one!.view }, etag: one!.etag };
}

/** One goal as an answer of a past moment. */
export async function shownThen(deps: Pick<GoalDeps, 'beside'>, doc: GoalDoc, asOf: number) {
  const [one] = await shownOf(deps, doc.workspace, [doc], asOf);
  return { body: { data: { ...one!.view, as_of: asOfView(asOf) } }, headers: asOfHeaders(asOf) };
}
