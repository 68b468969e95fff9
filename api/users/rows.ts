import type { Row } from '../edge/row.js';
import { accountRows } from './account.js';
import { opsRows } from './ops.js';
import type { UserRoom } from './room.js';
import { tokenRows } from './tokens.js';
import { totpRows } from './totp.js';

/** Accounts, their tokens, their second factor, and sign-in with internal applications. */
export const userRows = (room: UserRoom): Row[] => [
  ...accountRows(room),
  ...tokenRows(room),
  ...totpRows(room),
  ...opsRows(room),
];
