import type { Issued, NewToken } from '../../commands/api-tokens.js';
import { Rejected } from '../../domain/rejected.js';
import type { FromSchema } from '../edge/schema.js';
import { defaultScopes } from '../../domain/tokens/scopes.js';
import { DAY, SECOND } from '../../domain/time.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Caller, type Row } from '../edge/row.js';
import { own, tag, without, type UserDeps } from './deps.js';
import * as schemas from './schemas.js';
import { decidedView, tokenView } from './views.js';

const path = '/v1/user/api-tokens';
const one = `${path}/{token_id}`;
const escalation = ['scope_escalation', 'workspace_forbidden'] as const;
const issuing = [...escalation, 'token_lifetime_limited'] as const;
const shownOnce = { kept: without('token') };

/** The caller's own tokens: spec 4.2 and 5, open-parts 2.2. */
export function tokenRows({ tokens, queries, lastUses, clock, visible }: UserDeps): Row[] {
  /** A token for a workspace its owner is not in would be good for nothing: a typo, most likely. */
  const inThem = async ({ uid }: Caller, ids: readonly string[] | null | undefined): Promise<void> => {
    if (!ids) return;
    const joined = new Set((await queries.memberships(uid)).map(({ workspace }) => workspace._id));
    if (!ids.every(id => joined.has(id)))
      throw new Rejected('forbidden', 'workspace_forbidden', 'You are not a member of this workspace');
  };
  const made = async ({ value, state, position }: Issued) => {
    await visible(position);
    return { body: { data: { ...decidedView(state, undefined, clock()), token: value } } };
  };
  return [
    row({
      method: 'post',
      path,
      operation: 'createApiToken',
      summary: 'Create a token; its value is shown this once',
      tag,
      access: own,
      description: 'It can do no more than the token that makes it.',
      body: schemas.newTokenBody,
      ...shownOnce,
      errors: { 403: issuing },
      answers: { 200: { description: 'The token with its value', schema: schemas.tokenMadeAnswer } },
      async run(call) {
        const { caller, body } = call;
        const context = contextOf(call, clock());
        await inThem(caller, body.workspace_ids);
        return made(await tokens.create(caller.uid, wantedOf(body, caller, context.at), caller, context));
      },
    }),
    row({
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
        const { items, total } = await queries.tokens(uid, status, now, {
          limit,
          offset: (page - 1) * limit,
        });
        const last = await lastUses.last(items.map(({ token_id }) => token_id));
        return {
          body: {
            data: {
              tokens: items.map(doc => tokenView(doc, last.get(doc.token_id), now)),
              ...perPage(query, total),
            },
          },
        };
      },
    }),
    row({
      method: 'patch',
      path: one,
      operation: 'changeApiToken',
      summary: 'Change name, scopes or workspaces; the value stays',
      tag,
      access: own,
      params: schemas.tokenParams,
      body: schemas.tokenPatchBody,
      errors: { 403: escalation, 409: ['token_revoked', 'token_expired'] },
      answers: { 200: { description: 'The token as it is now', schema: schemas.tokenAnswer } },
      async run(call) {
        const {
          caller,
          params: { token_id },
          body: { name, scopes, workspace_ids },
        } = call;
        await inThem(caller, workspace_ids);
        const changes = {
          ...(name !== undefined && { name }),
          ...(scopes && { scopes }),
          ...(workspace_ids !== undefined && { workspaceIds: workspace_ids }),
        };
        const { after, position } = await tokens.change(
          caller.uid,
          token_id,
          changes,
          caller,
          contextOf(call, clock()),
        );
        await visible(position);
        return {
          body: { data: decidedView(after, (await lastUses.last([token_id])).get(token_id), clock()) },
        };
      },
    }),
    row({
      method: 'delete',
      path: one,
      operation: 'revokeApiToken',
      summary: 'Revoke a token',
      tag,
      access: own,
      params: schemas.tokenParams,
      description: 'It stops at once where this is answered, and within a second in all other processes.',
      answers: { 200: { description: 'It works no more', schema: schemas.revokedAnswer } },
      async run(call) {
        const { position } = await tokens.revoke(
          call.caller.uid,
          call.params.token_id,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
    row({
      method: 'post',
      path: `${one}/regenerate`,
      operation: 'regenerateApiToken',
      summary: 'Put another value in the place of this one',
      tag,
      access: own,
      description:
        'A new token with the same rights and end, or a sooner one where an organization asks for it. '
        + 'The old one stops at once, or after `grace_seconds`.',
      params: schemas.tokenParams,
      body: schemas.regenerateBody,
      ...shownOnce,
      errors: { 403: escalation, 409: ['token_revoked', 'token_expired'] },
      answers: { 200: { description: 'The new token with its value', schema: schemas.tokenMadeAnswer } },
      async run(call) {
        const {
          caller,
          params: { token_id },
          body: { grace_seconds = 0 },
        } = call;
        return made(
          await tokens.regenerate(
            caller.uid,
            token_id,
            grace_seconds * SECOND,
            caller,
            contextOf(call, clock()),
          ),
        );
      },
    }),
  ];
}

const wantedOf = (body: FromSchema<typeof schemas.newTokenBody>, caller: Caller, now: number): NewToken => ({
  name: body.name,
  scopes: body.scopes ?? defaultScopes,
  workspaceIds: body.workspace_ids === undefined ? caller.workspaceIds : body.workspace_ids,
  expiresAt: body.expires_in_days == null ? body.expires_in_days : now + body.expires_in_days * DAY,
});
