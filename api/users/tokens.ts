import type { ApiTokenCommands } from '../../commands/api-tokens.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { versionedTag, versionIn } from '../edge/versions.js';
import type { FromSchema } from '../../json-schema.js';
import { own, tag, type UserDeps } from './deps.js';
import { createTokenRow, regenerateTokenRow } from './token-issuing.js';
import { checkJoined, ended, escalation, one, path } from './token-rules.js';
import * as schemas from './token-schemas.js';
import { decidedView, tokenView } from './views.js';

/** The caller's own tokens: spec 4.2 and 5, open-parts 2.2. */
export const tokenRows = (deps: UserDeps): Row[] => [
  createTokenRow(deps),
  listRow(deps),
  changeRow(deps),
  revokeRow(deps),
  regenerateTokenRow(deps),
];

function listRow({ queries, lastUses, clock }: UserDeps): Row {
  return row({
    method: 'get',
    path,
    operation: 'listApiTokens',
    summary: 'List the tokens, without values',
    tag,
    access: own,
    query: schemas.tokensQuery,
    answers: { 200: { description: 'Newest first; ended ones for 90 days', schema: schemas.tokensAnswer } },
    async run({ caller: { uid }, query }) {
      const now = clock();
      const { page, per_page: limit, status = null } = query;
      const offset = (page - 1) * limit;
      const { items, total } = await queries.tokens(uid, status, now, { limit, offset });
      const uses = await lastUses.last(items.map(({ token_id }) => token_id));
      const views = items.map(doc => tokenView(doc, uses.get(doc.token_id), now));
      return { body: { data: { tokens: views, ...perPage(query, total) } } };
    },
  });
}

function changeRow(deps: UserDeps): Row {
  const { tokens, lastUses, clock, visible } = deps;
  return row({
    method: 'patch',
    path: one,
    operation: 'changeApiToken',
    summary: 'Change name, scopes or workspaces; the value stays',
    tag,
    access: own,
    versioned: true,
    params: schemas.tokenParams,
    body: schemas.tokenPatchBody,
    errors: { 403: escalation, 409: ['version_conflict', ...ended] },
    answers: { 200: { description: 'The token as it is now', schema: schemas.tokenAnswer } },
    async run(call) {
      const { caller, body } = call;
      const { token_id } = call.params;
      await checkJoined(deps, caller, body.workspace_ids);
      const context = contextOf(call, clock());
      const changes = changesOf(body);
      const seen = versionIn(call.ifMatch);
      const { after, position } = await tokens.change(caller.uid, token_id, changes, caller, context, seen);
      await visible(position);
      const uses = await lastUses.last([token_id]);
      const data = decidedView(after, uses.get(token_id), clock());
      return { body: { data }, etag: versionedTag(after.version, data) };
    },
  });
}

function revokeRow({ tokens, tried, clock, visible }: UserDeps): Row {
  return row({
    method: 'delete',
    path: one,
    operation: 'revokeApiToken',
    summary: 'Revoke a token',
    tag,
    access: own,
    versioned: true,
    params: schemas.tokenParams,
    query: dryQuery,
    errors: { 409: ['version_conflict'] },
    description: 'It stops at once where this is answered, and within a second in all other processes.',
    answers: { 200: { description: 'It works no more', schema: schemas.revokedAnswer } },
    async run(call) {
      const { token_id } = call.params;
      const seen = versionIn(call.ifMatch);
      const by = call.query.dry_run ? tried : tokens;
      const { position } = await by.revoke(call.caller.uid, token_id, contextOf(call, clock()), seen);
      if (call.query.dry_run) return wouldBe({ token_id });
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  });
}

type Changes = Parameters<ApiTokenCommands['change']>[2];

/** What is left out stays. */
const changesOf = ({ name, scopes, workspace_ids }: FromSchema<typeof schemas.tokenPatchBody>): Changes => ({
  ...(name !== undefined && { name }),
  ...(scopes && { scopes }),
  ...(workspace_ids !== undefined && { workspaceIds: workspace_ids }),
});
