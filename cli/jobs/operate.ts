import type { Job } from './job.js';
import { groupOperations, type GroupOptions } from './operate/groups.js';
import { tokenOperations, type TokenOptions } from './operate/tokens.js';
import { userOperations, type UserOptions } from './operate/users.js';
import { perform } from './operation.js';

/**
 * What an operator may do to accounts and tenancy; each goes through commands and facts like anybody's
 * request.
 */
export type OperateOptions = UserOptions | GroupOptions | TokenOptions;

const operations = { ...userOperations, ...groupOperations, ...tokenOperations };

export const operateJob: Job<OperateOptions> = ({ platform }, options) =>
  perform<OperateOptions>(operations, platform, options);
