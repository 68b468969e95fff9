import { deploymentNotFound } from '../../domain/deployments/decider.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
import { offsetPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { readAccess, tag, type DeploymentDeps } from './deps.js';
import { doingOf } from './doing.js';
import { found } from './references.js';
import * as schemas from './schemas.js';
import { whoDid } from './who.js';
import { eventView, recordView, statusView } from './views.js';

const one = '/v1/deployments/{promotion_id}';
const common = { method: 'get', tag, access: readAccess } as const;
const errors = { 404: ['not_found'] } as const;

/** Deployments as they are, and as they became so. */
export function readRows(deps: DeploymentDeps): Row[] {
  const { queries, hosted, cell } = deps;
  const records = async (docs: readonly DeploymentDoc[]) => {
    const who = await whoDid(
      deps,
      docs.map(({ created_by }) => created_by),
    );
    const workspaces = [...new Set(docs.map(({ workspace }) => workspace))];
    const served = new Map((await Promise.all(workspaces.map(deps.dependants))).flatMap(each => [...each]));
    return Promise.all(
      docs.map(async doc => {
        const [model, doing, lastInference] = await Promise.all([
          hosted.find(doc),
          doingOf(doc, deps),
          deps.lastInference(doc.workspace, doc._id),
        ]);
        return recordView(doc, { model, doing, lastInference, goals: served.get(doc._id) ?? [], who, cell });
      }),
    );
  };
  return [
    row({
      ...common,
      path: '/v1/deployments',
      operation: 'listDeployments',
      summary: 'List deployments',
      query: schemas.listQuery,
      answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
      async run({ workspace, query }) {
        const { limit, offset, status, deployment_type: type, pipeline_id } = query;
        const filter = { status, type, pipeline: pipeline_id };
        const { items, total } = await queries.deployments(workspace, filter, limit, offset);
        return { body: { deployments: await records(items), ...offsetPage(query, total) } };
      },
    }),
    row({
      ...common,
      path: one,
      operation: 'getDeployment',
      summary: 'One deployment',
      params: schemas.oneParams,
      versioned: 'by_content',
      errors,
      answers: { 200: { description: 'The deployment, and how it does', schema: schemas.oneAnswer } },
      async run({ workspace, params }) {
        const [data] = await records([await found(deps, workspace, params.promotion_id)]);
        return { body: { data } };
      },
    }),
    row({
      ...common,
      path: `${one}/status`,
      operation: 'getDeploymentStatus',
      summary: 'Whether a deployment is ready, and why not',
      description: '`ready` is true only where a real forward pass through the live path has just worked.',
      params: schemas.oneParams,
      errors,
      answers: { 200: { description: 'Its status', schema: schemas.statusAnswer } },
      async run({ workspace, params }) {
        const doc = await found(deps, workspace, params.promotion_id);
        return { body: { data: statusView(doc, await doingOf(doc, deps)) } };
      },
    }),
    row({
      ...common,
      path: `${one}/events`,
      operation: 'listDeploymentEvents',
      summary: 'How a deployment changed, by whom and why',
      params: schemas.oneParams,
      query: schemas.eventsQuery,
      errors,
      answers: { 200: { description: 'Oldest first', schema: schemas.eventsAnswer } },
      async run({ workspace, params: { promotion_id }, query }) {
        const asOf = asOfIn(query.as_of, deps.clock());
        const doc = await found(deps, workspace, promotion_id);
        // It was not there yet
        if (asOf !== null && doc.created_at > asOf) throw deploymentNotFound();
        const { items, total } = await queries.events(promotion_id, asOf, query.limit, query.offset);
        const who = await whoDid(
          deps,
          items.map(({ actor }) => actor),
        );
        const events = items.map(item => eventView(item, who));
        const data = { promotion_id, as_of: asOfView(asOf), events, ...offsetPage(query, total) };
        return { body: { data }, headers: asOfHeaders(asOf) };
      },
    }),
  ];
}
