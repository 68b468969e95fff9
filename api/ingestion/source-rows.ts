import type { Source } from '../../domain/ingestion/sources/state.js';
import { created } from '../../projections/ingestion/source-documents.js';
import { contextOf } from '../edge/context.js';
import { MOST } from '../edge/most.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { withoutSecret } from './create-event-row.js';
import { mindSources, one, reads, tag, writes, type IngestionDeps } from './deps.js';
import { madePoll } from './making-polls.js';
import { checkedConfig, connectorNamed, newWebhook } from './making.js';
import { shown, sourceChangeRows } from './source-changes.js';
import * as schemas from './source-schemas.js';
import { sourceView } from './source-views.js';

const path = '/v1/ingestion/sources';
const changes = { tag, access: writes, leastRole: 'operator' } as const;

/** Sources: listed, made, read, changed, deleted. */
export const sourceRows = (deps: IngestionDeps): Row[] => [
  listRow(deps),
  makeRow(deps),
  readRow(deps),
  ...sourceChangeRows(deps),
];

const listRow = ({ queries, publicUrl, clock }: IngestionDeps): Row =>
  row({
    method: 'get',
    path,
    operation: 'listSources',
    summary: 'Where events and points come from by themselves',
    tag,
    access: reads,
    query: schemas.pagedQuery,
    answers: { 200: { description: 'Newest first', schema: schemas.sourcesAnswer } },
    async run({ workspace, query }) {
      const { page, per_page: limit } = query;
      const { items, total } = await queries.sources(workspace, { limit, offset: (page - 1) * limit });
      const shown = items.map(doc => sourceView(doc, publicUrl(), clock()));
      return { body: { data: { sources: shown, ...perPage(query, total) } } };
    },
  });

const makeRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'post',
    path,
    operation: 'createSource',
    summary: 'Make a source',
    description: 'The secret of a webhook is shown this once, and not again under an `Idempotency-Key`.',
    body: schemas.sourceBody,
    known: ({ connector_id: id }) => schemas.sourceBodyOf(deps.connectors.get(id)),
    kept: withoutSecret,
    errors: { 403: MOST },
    answers: { 201: { description: 'It is there', schema: schemas.sourceMadeAnswer } },
    async run(call) {
      const { connectors, sources, visible, clock } = deps;
      const { connector_id: id, name, config = {}, event_config = {} } = call.body;
      const connector = connectorNamed(connectors, id);
      await mindSources(deps, call.workspace);
      const context = contextOf(call, clock());
      if (connector.kind === 'poll') {
        const made = await madePoll(deps, connector, call.body, context);
        const data = { ...(await madeView(deps, call.workspace, made, context.at)), webhook_secret: null };
        return { status: 201, body: { data } };
      }
      const known = checkedConfig(connector, config);
      const wanted = newWebhook(connector, name, known, event_config, 'mixed');
      const made = await sources.create(call.workspace, wanted, context);
      await visible(made.position);
      const view = await madeView(deps, call.workspace, made, context.at);
      return { status: 201, body: { data: { ...view, webhook_secret: made.secret } } };
    },
  });

type Made = { readonly sourceId: string; readonly secret: string | null; readonly source: Source };

/** A source that was just made; as it was decided where read models are late. */
async function madeView(
  { queries, publicUrl, clock }: IngestionDeps,
  workspace: string,
  { sourceId, secret, source }: Made,
  at: number,
) {
  const { name, connectorId, kind, mode, shown: config, eventConfig, revision } = source;
  const personal = { of: workspace, secret, config };
  const data = { workspace, sourceId, name, connectorId, kind, mode, config, eventConfig, personal };
  const doc = (await queries.source(workspace, sourceId)) ?? created({ data, at, revision });
  return sourceView(doc, publicUrl(), clock());
}

const readRow = (deps: IngestionDeps): Row =>
  row({
    method: 'get',
    path: one,
    operation: 'getSource',
    summary: 'One source',
    tag,
    access: reads,
    params: schemas.sourceParams,
    versioned: true,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The source', schema: schemas.sourceAnswer } },
    async run({ workspace, params }) {
      const { deliveries, visible } = deps;
      // An answer to a delivery does not wait until it is counted here
      await visible(await deliveries.settled());
      return shown(deps, workspace, params.source_id);
    },
  });
