import { Rejected } from '../../domain/rejected.js';
import type { Caller } from '../edge/row.js';
import type { UserDeps } from './deps.js';

export const path = '/v1/user/api-tokens';
export const one = `${path}/{token_id}`;

/** Why a token may not give what is asked for, and why one that has ended cannot be worked with. */
export const escalation = ['scope_escalation', 'workspace_forbidden'] as const;
export const ended = ['token_revoked', 'token_expired'] as const;
export const tooMany = 'too_many_tokens';

/** How many tokens that work somebody may have. */
export const MAX_TOKENS = 100;

/**
 * Somebody has room for one more token. Read models tell, so that several made at the same moment may exceed
 * the number by a few.
 * @throws Rejected 409
 */
export async function checkRoom({ queries }: UserDeps, { uid }: Caller, now: number): Promise<void> {
  const { total } = await queries.tokens(uid, 'active', now, { limit: 1, offset: 0 });
  if (total < MAX_TOKENS) return;
  const message = `You have ${total} tokens that work, and may have ${MAX_TOKENS}; revoke one first`;
  throw new Rejected('conflict', tooMany, message, { limit: MAX_TOKENS });
}

/** A token for a workspace its owner is not in would be good for nothing: a typo, most likely. */
export async function checkJoined(
  { queries }: UserDeps,
  { uid }: Caller,
  ids: readonly string[] | null | undefined,
): Promise<void> {
  if (!ids) return;
  const memberships = await queries.memberships(uid);
  const joined = new Set(memberships.map(({ workspace }) => workspace._id));
  if (ids.every(id => joined.has(id))) return;
  throw new Rejected('forbidden', 'workspace_forbidden', 'You are not a member of this workspace');
}
