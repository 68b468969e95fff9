import { eventConfigOf } from '../../domain/ingestion/event-config.js';
import { masked, unmasked, type Config } from '../../domain/ingestion/masking.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { tagOf, versionIn } from '../edge/versions.js';
import { foundSource, one, tag, writes, type IngestionDeps } from './deps.js';
import { askedIn, changedPoll } from './making-polls.js';
import { checkedConfig, unknownIn } from './making.js';
import { refuseKeptSecrets } from './poll-sources.js';
import * as schemas from './source-schemas.js';
import { sourceView } from './source-views.js';

const changes = { tag, access: writes, leastRole: 'operator' } as const;

/** A source is changed, and deleted. */
export const sourceChangeRows = (deps: IngestionDeps): Row[] => [changeRow(deps), deleteRow(deps)];

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
      const seen = versionIn(ifMatch);
      const context = contextOf(call, clock());
      const { position } = await sources.change(workspace, doc._id, wanted, seen, context);
      await visible(position);
      await follows?.(workspace, doc._id, context);
      const answer = await shown(deps, workspace, doc._id);
      return { ...answer, ignored: unknownIn(connector, given ?? {}) };
    },
  });

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
    query: dryQuery,
    versioned: true,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: { 200: { description: 'It is no longer there', schema: schemas.deletedAnswer } },
    async run(call) {
      const { workspace, params, query, ifMatch } = call;
      const { source_id: sourceId } = params;
      await foundSource(deps, workspace, sourceId);
      const { sources: by } = query.dry_run ? deps.dry : deps;
      const context = contextOf(call, deps.clock());
      const { position } = await by.delete(workspace, sourceId, versionIn(ifMatch), context);
      if (query.dry_run) return wouldBe({ source_id: sourceId });
      await deps.visible(position);
      return { body: { status: 'deleted' } };
    },
  });

/** A source as it is read again. */
export async function shown(deps: IngestionDeps, workspace: string, sourceId: string) {
  const doc = await foundSource(deps, workspace, sourceId);
  const data = sourceView(doc, deps.publicUrl(), deps.clock());
  return { body: { data }, ...tagOf(doc.version, data) };
}
