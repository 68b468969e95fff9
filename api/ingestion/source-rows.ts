import { eventConfigOf } from '../../domain/ingestion/event-config.js';
import { masked, unmasked, type Config } from '../../domain/ingestion/masking.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { withoutSecret } from './create-event-row.js';
import { foundSource, one, reads, tag, writes, type IngestionDeps } from './deps.js';
import { askedIn, changedPoll, madePoll } from './making-polls.js';
import { checkedConfig, connectorNamed, newWebhook, unknownIn } from './making.js';
import { refuseKeptSecrets } from './poll-sources.js';
import * as schemas from './source-schemas.js';
import { sourceView } from './source-views.js';

const path = '/v1/ingestion/sources';
const changes = { tag, access: writes, leastRole: 'operator' } as const;

/** Sources: listed, made, read, changed, deleted. */
export const sourceRows = (deps: IngestionDeps): Row[] => [
  listRow(deps),
  makeRow(deps),
  readRow(deps),
  changeRow(deps),
  deleteRow(deps),
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
    answers: { 201: { description: 'It is there', schema: schemas.sourceMadeAnswer } },
    async run(call) {
      const { connectors, sources, queries, visible, publicUrl, clock } = deps;
      const { connector_id: id, name, config = {}, event_config = {} } = call.body;
      const connector = connectorNamed(connectors, id);
      const context = contextOf(call, clock());
      if (connector.kind === 'poll') {
        const made = await madePoll(deps, connector, call.body, context);
        const doc = await foundSource(deps, call.workspace, made.sourceId);
        const data = { ...sourceView(doc, publicUrl(), clock()), webhook_secret: null };
        return { status: 201, body: { data } };
      }
      const known = checkedConfig(connector, config);
      const wanted = newWebhook(connector, name, known, event_config, 'mixed');
      const made = await sources.create(call.workspace, wanted, context);
      await visible(made.position);
      const doc = await foundSource({ ...deps, queries }, call.workspace, made.sourceId);
      const data = { ...sourceView(doc, publicUrl(), clock()), webhook_secret: made.secret };
      return { status: 201, body: { data } };
    },
  });

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
    run: async ({ workspace, params }) => shown(deps, workspace, params.source_id),
  });

const changeRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'patch',
    path: one,
    operation: 'changeSource',
    summary: 'Change its name, its config or how items are read',
    description: 'Members that are absent stay. `***` in place of a secret leaves it as it is.',
    params: schemas.sourceParams,
    body: schemas.sourcePatchBody,
    versioned: true,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'As it is now', schema: schemas.sourceAnswer } },
    async run(call) {
      const { sources, connectors, visible, clock } = deps;
      const { workspace, params, body, ifMatch } = call;
      const doc = await foundSource(deps, workspace, params.source_id);
      const { name, config: given, event_config } = body;
      const before = await sources.found(workspace, doc._id);
      const connector = connectors.get(doc.connector_id)!;
      let config: { whole: Config; shown: Config } | undefined;
      let follows: Awaited<ReturnType<typeof changedPoll>> = null;
      const asked = askedIn(connector, given, event_config);
      if (Object.keys(asked).length > 0) {
        const old = before.config ?? {};
        const whole = checkedConfig(connector, {
          ...old,
          ...unmasked(asked, old, connector.secretPlaces),
        });
        refuseFixed(asked, old);
        if (connector.kind === 'poll') {
          follows = await changedPoll(deps, connector, { before: old, now: whole });
          refuseKeptSecrets(connector, { given: asked, before: old, now: whole });
        }
        config = { whole, shown: masked(whole, connector.secretPlaces) };
      }
      const wanted = {
        ...(name !== undefined && { name }),
        ...(config && { config }),
        ...(event_config && { eventConfig: eventConfigOf(event_config, before.eventConfig) }),
      };
      const revision = revisionIn(ifMatch);
      const context = contextOf(call, clock());
      const { position } = await sources.change(workspace, doc._id, wanted, revision, context);
      await visible(position);
      await follows?.(workspace, doc._id, context);
      const answer = await shown(deps, workspace, doc._id);
      return { ...answer, ignored: unknownIn(connector, given ?? {}) };
    },
  });

/** What is no revision is none that there is. */
function revisionIn(ifMatch: string | null): number | null {
  if (ifMatch === null) return null;
  return /^\d{1,15}$/.test(ifMatch) ? Number(ifMatch) : -1;
}

/** What a source is made with and keeps. */
const FIXED: Readonly<Record<string, string>> = {
  signed: 'is said when the source is made; rotate-secret gives it a secret',
  produces: 'is said when the source is made',
};

function refuseFixed(given: Config, before: Config): void {
  for (const [name, msg] of Object.entries(FIXED))
    if (given[name] !== undefined && given[name] !== before[name])
      throw notValid([{ loc: ['body', 'config', name], msg, type: 'config' }]);
}

const deleteRow = (deps: IngestionDeps): Row =>
  row({
    ...changes,
    method: 'delete',
    path: one,
    operation: 'deleteSource',
    summary: 'Delete a source; what came from it stays',
    params: schemas.sourceParams,
    versioned: true,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'It is no longer there', schema: schemas.deletedAnswer } },
    async run(call) {
      const { source_id: sourceId } = call.params;
      await foundSource(deps, call.workspace, sourceId);
      const context = contextOf(call, deps.clock());
      const { position } = await deps.sources.delete(
        call.workspace,
        sourceId,
        revisionIn(call.ifMatch),
        context,
      );
      await deps.visible(position);
      return { body: { status: 'deleted' } };
    },
  });

/** A source as it is read again. */
export async function shown(deps: IngestionDeps, workspace: string, sourceId: string) {
  const doc = await foundSource(deps, workspace, sourceId);
  return {
    body: { data: sourceView(doc, deps.publicUrl(), deps.clock()) },
    etag: String(doc.revision),
  };
}
