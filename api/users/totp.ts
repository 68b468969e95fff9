import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { nothing, tag, without, writes, type UserDeps } from './deps.js';
import * as schemas from './factor-schemas.js';
import { acknowledged } from './schemas.js';

const shownOnce = { kept: without('recovery_codes') };
const wrong = { 401: ['invalid_2fa_code'], 409: ['totp_not_enabled'], 429: ['too_many_attempts'] } as const;

/** A second factor: our own paths, open-parts 3. */
export const totpRows = (deps: UserDeps): Row[] => [
  enrolRow(deps),
  confirmRow(deps),
  disableRow(deps),
  renewRow(deps),
];

const enrolRow = ({ users, queries, clock, visible }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/totp/enroll',
    operation: 'enrollTotp',
    summary: 'Begin to use a second factor',
    tag,
    access: writes,
    description: 'A new secret for an authenticator app; it counts from its confirmation on.',
    kept: nothing,
    errors: { 404: ['not_found'], 409: ['totp_already_enabled'] },
    answers: { 201: { description: 'The secret, this once', schema: schemas.enrolledAnswer } },
    async run(call) {
      const user = await queries.user(call.caller.uid);
      if (!user) throw new Rejected('missing', 'not_found', 'User not found');
      const account = user.email ?? user._id;
      const { secret, uri, position } = await users.enrol(user._id, account, contextOf(call, clock()));
      await visible(position);
      return { status: 201, body: { data: { secret, otpauth_uri: uri } } };
    },
  });

const confirmRow = ({ users, clock, visible }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/totp/confirm',
    operation: 'confirmTotp',
    summary: 'Confirm the second factor with a code of it',
    tag,
    access: writes,
    body: schemas.codeBody,
    ...shownOnce,
    errors: { 401: ['invalid_2fa_code'], 409: ['totp_not_enrolled'] },
    answers: {
      200: { description: 'In use; ten recovery codes, this once', schema: schemas.recoveryAnswer },
    },
    async run(call) {
      const { uid } = call.caller;
      const context = contextOf(call, clock());
      const { recoveryCodes, position } = await users.confirm(uid, call.body.code, context);
      await visible(position);
      return { body: { data: { totp_enabled: true, recovery_codes: recoveryCodes } } };
    },
  });

const disableRow = ({ users, clock, visible }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/totp/disable',
    operation: 'disableTotp',
    summary: 'Do without the second factor',
    tag,
    access: writes,
    body: schemas.codeBody,
    errors: wrong,
    answers: { 200: { description: 'It is gone', schema: acknowledged } },
    async run(call) {
      const { position } = await users.disable(call.caller.uid, call.body.code, contextOf(call, clock()));
      await visible(position);
      return { body: { status: 'ok' } };
    },
  });

const renewRow = ({ users, clock, visible }: UserDeps): Row =>
  row({
    method: 'post',
    path: '/v1/user/totp/recovery-codes',
    operation: 'renewRecoveryCodes',
    summary: 'Ten new recovery codes',
    tag,
    access: writes,
    description: 'The old ones are worth nothing any more.',
    body: schemas.codeBody,
    ...shownOnce,
    errors: wrong,
    answers: { 201: { description: 'The codes, this once', schema: schemas.recoveryAnswer } },
    async run(call) {
      const { uid } = call.caller;
      const context = contextOf(call, clock());
      const { recoveryCodes, position } = await users.renewRecoveryCodes(uid, call.body.code, context);
      await visible(position);
      return { status: 201, body: { data: { totp_enabled: true, recovery_codes: recoveryCodes } } };
    },
  });
