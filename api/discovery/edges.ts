import { edgeNotFound } from '../../domain/edges/refusals.js';
import { ACTING } from '../../domain/goals/ports.js';
import { goalNotFound, invalidState } from '../../domain/goals/refusals.js';
import type { EdgeDoc } from '../../projections/edges/documents.js';
import { asOfIn } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { allEdges, oneEdge, readAccess, tag, writeAccess, type DiscoveryDeps } from './deps.js';
import * as answers from './answer-schemas.js';
import * as schemas from './schemas.js';
import { queued } from './starting.js';
import { edgesThen, edgeThen } from './then.js';
import { edgeView } from './views.js';

const missing = { 404: ['not_found'] };

export const edgeRows = (deps: DiscoveryDeps): Row[] => [
  ...readRows(deps),
  recheckRow(deps),
  markRow(deps, 'pin', 'Use an edge whatever checks say', 'It counts as validated, and is never retired.'),
  markRow(deps, 'block', 'Never use an edge', 'It is looked at no more, until it is unblocked.'),
  unblockRow(deps),
];

type Ids = { readonly goal_id: string; readonly edge_id: string };

/** @throws Rejected 404 */
async function found(
  { edges, goal }: DiscoveryDeps,
  workspace: string,
  { goal_id, edge_id }: Ids,
): Promise<EdgeDoc> {
  if (!(await goal(workspace, goal_id))) throw goalNotFound();
  const doc = await edges.queries.edge(workspace, edge_id);
  if (doc?.goal_id !== goal_id) throw edgeNotFound(edge_id);
  return doc;
}

/** One that a person may mark: an archived goal is read only. @throws Rejected 404, 409 */
async function foundToMark(deps: DiscoveryDeps, workspace: string, ids: Ids): Promise<EdgeDoc> {
  const doc = await found(deps, workspace, ids);
  const goal = await deps.goal(workspace, ids.goal_id);
  if (goal?.state.status === 'archived') throw invalidState('archived', 'have its edges changed');
  return doc;
}

/** Only events of streams whose edges act begin shocks. */
async function viewOf({ barOf }: DiscoveryDeps, doc: EdgeDoc) {
  const begins = doc.kind === 'event_stream' && ACTING.includes(doc.status);
  return edgeView(doc, begins ? await barOf(doc.workspace, doc.goal_id, doc.source_key) : null);
}

const readRows = (deps: DiscoveryDeps): Row[] => [
  row({
    method: 'get',
    path: allEdges,
    operation: 'listEdges',
    summary: 'List what drives a goal',
    tag,
    access: readAccess,
    params: schemas.allParams,
    query: schemas.edgesQuery,
    errors: missing,
    answers: { 200: { description: 'In order of their ids', schema: answers.edgesAnswer } },
    async run({ workspace, params: { goal_id }, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      if (asOf !== null) return edgesThen(deps, workspace, goal_id, query, asOf);
      if (!(await deps.goal(workspace, goal_id))) throw goalNotFound();
      const { page, per_page: limit, status = null, kind = null } = query;
      const paging = { offset: (page - 1) * limit, limit };
      const { items, total } = await deps.edges.queries.page(workspace, goal_id, { status, kind }, paging);
      const views = await Promise.all(items.map(doc => viewOf(deps, doc)));
      return { body: { data: { edges: views, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: oneEdge,
    operation: 'getEdge',
    summary: 'One edge: what its source does to the goal',
    tag,
    access: readAccess,
    params: schemas.edgeParams,
    versioned: 'by_content',
    query: schemas.edgeQuery,
    errors: missing,
    answers: { 200: { description: 'As it is now', schema: answers.edgeAnswer } },
    async run({ workspace, params, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      if (asOf !== null) return edgeThen(deps, workspace, params, asOf);
      return { body: { data: await viewOf(deps, await found(deps, workspace, params)) } };
    },
  }),
];

const recheckRow = (deps: DiscoveryDeps): Row =>
  row({
    method: 'post',
    path: `${oneEdge}/recheck`,
    operation: 'recheckEdge',
    summary: 'Look at an edge again',
    description: 'With what is known now, beside the other edges of the goal.',
    tag,
    access: writeAccess,
    policy: 'heavy',
    params: schemas.edgeParams,
    errors: { ...missing, 409: ['invalid_state', 'discovery_running'] },
    answers: { 202: { description: 'It waits for its turn', schema: answers.startedAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { edge_id: edgeId, goal_id: goalId } = await found(deps, workspace, params);
      await deps.edges.commands.mindRecheck({ workspace, edgeId });
      const context = contextOf(call, deps.clock());
      const begun = await deps.start.recheck({ workspace, goalId }, [edgeId], 'manual', context);
      await deps.visible(begun.position);
      return { status: 202, body: queued(goalId, begun.discoveryId) };
    },
  });

const markRow = (deps: DiscoveryDeps, mark: 'pin' | 'block', summary: string, description: string): Row =>
  row({
    method: 'post',
    path: `${oneEdge}/${mark}`,
    operation: mark === 'pin' ? 'pinEdge' : 'blockEdge',
    ...{ summary, description, tag },
    access: writeAccess,
    params: schemas.edgeParams,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'It is so', schema: answers.markedAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { edge_id: edgeId } = await foundToMark(deps, workspace, params);
      const context = contextOf(call, deps.clock());
      const { position } = await deps.edges.commands[mark]({ workspace, edgeId }, context);
      await deps.visible(position);
      return { body: { status: 'ok', data: await viewOf(deps, await found(deps, workspace, params)) } };
    },
  });

const unblockRow = (deps: DiscoveryDeps): Row =>
  row({
    method: 'post',
    path: `${oneEdge}/unblock`,
    operation: 'unblockEdge',
    summary: 'Let an edge be used again',
    description: 'It is a candidate, and is looked at again.',
    tag,
    access: writeAccess,
    params: schemas.edgeParams,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'A candidate that is rechecked', schema: answers.unblockedAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { edge_id: edgeId, goal_id: goalId } = await foundToMark(deps, workspace, params);
      const context = contextOf(call, deps.clock());
      const { facts, position } = await deps.edges.commands.unblock({ workspace, edgeId }, context);
      await deps.visible(position);
      // As the reactor that follows the fact begins it, under the same id
      const begun = await deps.start.recheck({ workspace, goalId }, [edgeId], 'unblocked', {
        ...context,
        causation: facts[0]!.id,
      });
      await deps.visible(begun.position);
      const data = await viewOf(deps, await found(deps, workspace, params));
      return { body: { status: 'ok', discovery_id: begun.discoveryId, data } };
    },
  });
