import type { Row } from '../edge/row.js';
import { accountRows } from './account.js';
import { opsRows } from './ops.js';
import type { UserDeps } from './deps.js';
import { tokenRows } from './tokens.js';
import { totpRows } from './totp.js';

/** Accounts, their tokens, their second factor, and sign-in with internal applications. */
export const userRows = (deps: UserDeps): Row[] => [
  ...accountRows(deps),
  ...tokenRows(deps),
  ...totpRows(deps),
  ...opsRows(deps),
];
