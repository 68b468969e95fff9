import { edgeNotFound } from '../../domain/edges/refusals.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { EdgeDoc } from '../../projections/edges/documents.js';
import type { FromSchema } from '../../json-schema.js';
import { asOfHeaders, asOfView } from '../edge/as-of.js';
import { perPage } from '../edge/paging.js';
import type { DiscoveryDeps } from './deps.js';
import type { edgesQuery } from './schemas.js';
import { edgeView } from './views.js';

type Deps = Pick<DiscoveryDeps, 'then'>;

/** What an event of a stream had to be like then was learned of what came before: it is not told again. */
const viewThen = (doc: EdgeDoc) => edgeView(doc, null);

/** Edges of a goal as they stood at a moment, epoch ms. @throws Rejected 404 */
export async function edgesThen(
  { then }: Deps,
  workspace: string,
  goalId: string,
  query: FromSchema<typeof edgesQuery>,
  asOf: number,
) {
  if (!(await then.goal(workspace, goalId, asOf))) throw goalNotFound();
  const { page, per_page: limit, status, kind } = query;
  const found = (await then.ofGoal(workspace, goalId, asOf)).filter(
    doc => (status === undefined || doc.status === status) && (kind === undefined || doc.kind === kind),
  );
  const edges = found.slice((page - 1) * limit, page * limit).map(viewThen);
  return {
    body: { data: { as_of: asOfView(asOf), edges, ...perPage(query, found.length) } },
    headers: asOfHeaders(asOf),
  };
}

/** One of them. @throws Rejected 404 */
export async function edgeThen(
  { then }: Deps,
  workspace: string,
  { goal_id: goalId, edge_id: edgeId }: { readonly goal_id: string; readonly edge_id: string },
  asOf: number,
) {
  if (!(await then.goal(workspace, goalId, asOf))) throw goalNotFound();
  const doc = await then.edgeThen(workspace, edgeId, asOf);
  if (doc?.goal_id !== goalId) throw edgeNotFound(edgeId);
  return { body: { data: { ...viewThen(doc), as_of: asOfView(asOf) } }, headers: asOfHeaders(asOf) };
}
