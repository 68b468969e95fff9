import { discoveryNotFound } from '../../domain/discovery/refusals.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { DiscoveryDoc } from '../../projections/discovery/documents.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { all, one, readAccess, tag, writeAccess, type DiscoveryDeps } from './deps.js';
import * as answers from './answer-schemas.js';
import { edgeRows } from './edges.js';
import * as schemas from './schemas.js';
import { startRow } from './starting.js';
import { discoveryView, wholeView } from './views.js';

const missing = { 404: ['not_found'] };

/** Discoveries of goals, and their edges: open-parts 15. */
export const discoveryRows = (deps: DiscoveryDeps): Row[] => [
  startRow(deps),
  ...readRows(deps),
  cancelRow(deps),
  ...edgeRows(deps),
];

/** @throws Rejected 404 */
async function found(
  { queries, goal }: DiscoveryDeps,
  workspace: string,
  { goal_id, discovery_id }: { readonly goal_id: string; readonly discovery_id: string },
): Promise<DiscoveryDoc> {
  if (!(await goal(workspace, goal_id))) throw goalNotFound();
  const doc = await queries.discovery(workspace, discovery_id);
  if (doc?.goal_id !== goal_id) throw discoveryNotFound(discovery_id);
  return doc;
}

async function whole({ queries, edges }: DiscoveryDeps, doc: DiscoveryDoc) {
  const [results, statuses] = await Promise.all([
    queries.results(doc),
    edges.queries.statuses(doc.workspace, doc.goal_id),
  ]);
  return wholeView(doc, results, statuses);
}

const readRows = (deps: DiscoveryDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listDiscoveries',
    summary: 'List the discoveries of a goal',
    tag,
    access: readAccess,
    params: schemas.allParams,
    query: schemas.listQuery,
    errors: missing,
    answers: { 200: { description: 'Newest first, without results', schema: answers.listAnswer } },
    async run({ workspace, params: { goal_id }, query }) {
      if (!(await deps.goal(workspace, goal_id))) throw goalNotFound();
      const { page, per_page: limit, status = null } = query;
      const paging = { offset: (page - 1) * limit, limit };
      const { items, total } = await deps.queries.page(workspace, goal_id, status, paging);
      return { body: { data: { discoveries: items.map(discoveryView), ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getDiscovery',
    summary: 'One discovery, with what it found of each source',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    versioned: 'by_content',
    errors: missing,
    answers: { 200: { description: 'As it is now', schema: answers.oneAnswer } },
    run: async ({ workspace, params }) => ({
      body: { data: await whole(deps, await found(deps, workspace, params)) },
    }),
  }),
];

const cancelRow = (deps: DiscoveryDeps): Row =>
  row({
    method: 'post',
    path: `${one}/cancel`,
    operation: 'cancelDiscovery',
    summary: 'Call a discovery off',
    description: 'Edges stay as they are. A goal that waits for its first one goes on without.',
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'Called off', schema: answers.cancelledAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { discovery_id: discoveryId } = await found(deps, workspace, params);
      const { position } = await deps.commands.cancel(
        { workspace, discoveryId },
        contextOf(call, deps.clock()),
      );
      await deps.visible(position);
      const doc = await found(deps, workspace, params);
      return { body: { status: 'cancelled', data: await whole(deps, doc) } };
    },
  });
