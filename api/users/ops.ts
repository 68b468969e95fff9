import { OPS_CODE_LASTS, invalidCode } from '../../domain/users/ops-codes.js';
import { iso, SECOND } from '../../domain/time.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { internal, nothing, tag, writes, type UserDeps } from './deps.js';
import * as schemas from './ops-schemas.js';
import { optionalIso } from './views.js';

/** Sign-in of a user with our internal applications: spec 4.2, open-parts 3. */
export const opsRows = (deps: UserDeps): Row[] => [authorizeRow(deps), exchangeRow(deps), verifyRow(deps)];

const authorizeRow = ({ ops, clock }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/ops/authorize',
    operation: 'authorizeOps',
    summary: 'A code to sign in to an internal application with',
    tag,
    access: writes,
    body: schemas.authorizeBody,
    kept: nothing,
    errors: { 400: ['redirect_uri_not_allowed'] },
    answers: {
      200: { description: 'A code for this address, once, for a minute', schema: schemas.authorizeAnswer },
    },
    async run(call) {
      const { redirect_uri } = call.body;
      const { uid } = call.caller;
      const issued = await ops.authorize(uid, redirect_uri, contextOf(call, clock()));
      const data = {
        code: issued.code,
        redirect_uri,
        redirect_to: issued.redirectTo,
        expires_at: iso(issued.expiresAt),
        expires_in_seconds: OPS_CODE_LASTS / SECOND,
      };
      return { body: { data } };
    },
  });

const exchangeRow = ({ ops, queries, clock }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/ops/exchange',
    operation: 'exchangeOpsCode',
    summary: 'Learn whose code it is; works once',
    tag,
    access: internal,
    description: 'For internal services: takes one of their tokens.',
    body: schemas.exchangeBody,
    kept: nothing,
    errors: { 400: ['invalid_code'], 403: ['internal_token_required'] },
    answers: { 200: { description: 'The user', schema: schemas.exchangeAnswer } },
    async run(call) {
      const { code, redirect_uri } = call.body;
      const uid = await ops.exchange(code, redirect_uri, contextOf(call, clock()));
      const user = await queries.user(uid);
      if (!user || user.erased_at !== null) throw invalidCode();
      const { email, name, totp_enabled } = user;
      const verifiedAt = optionalIso(user.totp_verified_at);
      return { body: { data: { uid, email, name, totp_enabled, totp_verified_at: verifiedAt } } };
    },
  });

const verifyRow = ({ users, queries, clock, visible, inOtherCell }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/ops/verify-2fa',
    operation: 'verifySecondFactor',
    summary: 'Check a second factor of a user',
    tag,
    access: internal,
    description:
      'For internal services: takes one of their tokens. '
      + 'Five wrong codes in 15 minutes, then none for 15 minutes.',
    body: schemas.verifyBody,
    kept: nothing,
    errors: {
      401: ['invalid_2fa_code'],
      403: ['internal_token_required'],
      404: ['not_found'],
      409: ['totp_not_enabled', 'wrong_cell'],
      429: ['too_many_attempts'],
    },
    answers: { 200: { description: 'The code is right, and spent', schema: schemas.verifyAnswer } },
    async run(call) {
      const { uid, code } = call.body;
      const refusal = (await queries.user(uid)) ? undefined : inOtherCell(uid);
      if (refusal) throw refusal;
      const verified = await users.verify(uid, code, contextOf(call, clock()));
      await visible(verified.position);
      const data = {
        verified: true,
        method: verified.method,
        totp_verified_at: iso(verified.verifiedAt),
        recovery_codes_remaining: verified.recoveryCodesLeft,
      };
      return { body: { data } };
    },
  });
