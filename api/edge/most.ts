import { Rejected } from '../../domain/rejected.js';

/** How a call for one more than there may be is refused. */
export const MOST = ['plan_limit_reached'] as const;

/**
 * Holds what is to be made to how many there may be; of calls at the same moment each may make one.
 * `whose` may have `what`: "A workspace", "sources".
 * @throws Rejected 403 `plan_limit_reached`
 */
export function mindMost(whose: string, what: string, used: number, limit: number): void {
  if (used < limit) return;
  const message = `${whose} may have ${limit} ${what}`;
  throw new Rejected('forbidden', MOST[0], message, { limit, used });
}
