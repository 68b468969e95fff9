import type { Issued, NewToken } from '../../commands/api-tokens.js';
import { DAY, SECOND } from '../../domain/time.js';
import { defaultScopes } from '../../domain/tokens/scopes.js';
import { contextOf } from '../edge/context.js';
import { row, type Caller, type Row } from '../edge/row.js';
import type { FromSchema } from '../../json-schema.js';
import { own, tag, without, type UserDeps } from './deps.js';
import { checkJoined, checkRoom, ended, escalation, one, path, tooMany } from './token-rules.js';
import * as schemas from './token-schemas.js';
import { decidedView } from './views.js';

const issuing = [...escalation, 'token_lifetime_limited'] as const;
/** Its value is not in a repeat under the same `Idempotency-Key`. */
const shownOnce = { kept: without('token') };

/** A new token. */
export function createTokenRow(deps: UserDeps): Row {
  const { tokens, clock } = deps;
  return row({
    method: 'post',
    path,
    operation: 'createApiToken',
    summary: 'Create a token; its value is shown this once',
    tag,
    access: own,
    description: 'It can do no more than the token that makes it. A user has at most 100 that work.',
    body: schemas.newTokenBody,
    ...shownOnce,
    errors: { 403: issuing, 409: [tooMany] },
    answers: { 200: { description: 'The token with its value', schema: schemas.tokenMadeAnswer } },
    async run(call) {
      const { caller, body } = call;
      const context = contextOf(call, clock());
      await checkJoined(deps, caller, body.workspace_ids);
      await checkRoom(deps, caller, context.at);
      const wanted = wantedOf(body, caller, context.at);
      const issued = await tokens.create(caller.uid, wanted, caller, context);
      return issuedAnswer(deps, issued);
    },
  });
}

/** Another value in the place of one. */
export function regenerateTokenRow(deps: UserDeps): Row {
  const { tokens, clock } = deps;
  return row({
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
    errors: { 403: escalation, 409: [...ended, tooMany] },
    answers: { 200: { description: 'The new token with its value', schema: schemas.tokenMadeAnswer } },
    async run(call) {
      const { caller } = call;
      const { token_id } = call.params;
      const graceMs = (call.body.grace_seconds ?? 0) * SECOND;
      const context = contextOf(call, clock());
      // Where the old one works on there is one more
      if (graceMs > 0) await checkRoom(deps, caller, context.at);
      const issued = await tokens.regenerate(caller.uid, token_id, graceMs, caller, context);
      return issuedAnswer(deps, issued);
    },
  });
}

async function issuedAnswer({ visible, clock }: UserDeps, { value, state, position }: Issued) {
  await visible(position);
  return { body: { data: { ...decidedView(state, undefined, clock()), token: value } } };
}

function wantedOf(body: FromSchema<typeof schemas.newTokenBody>, caller: Caller, now: number): NewToken {
  const { name, scopes = defaultScopes, workspace_ids, expires_in_days: days } = body;
  return {
    name,
    scopes,
    workspaceIds: workspace_ids === undefined ? caller.workspaceIds : workspace_ids,
    // Null is for ever; what is not said is as late as may be
    expiresAt: days === null || days === undefined ? days : now + days * DAY,
  };
}
