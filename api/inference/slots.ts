import { Rejected } from '../../domain/rejected.js';

/** Whoever comes too many at once is told to come again after so many seconds. */
const RETRY_AFTER_S = 1;

/** Does work for a workspace that may have only so much under way. @throws Rejected 429 rate_limited */
export type Slots = <T>(workspace: string, work: () => Promise<T>) => Promise<T>;

/** At most `most` at once for each workspace, in this process. */
export function slotsOf(most: number): Slots {
  const taken = new Map<string, number>();
  return async (workspace, work) => {
    const before = taken.get(workspace) ?? 0;
    if (before >= most) throw tooMany(most);
    taken.set(workspace, before + 1);
    try {
      return await work();
    } finally {
      const left = taken.get(workspace)! - 1;
      if (left === 0) taken.delete(workspace);
      else taken.set(workspace, left);
    }
  };
}

const tooMany = (most: number): Rejected =>
  limited(`The workspace has ${most} inferences under way; try again soon`, most, RETRY_AFTER_S);

/** Of what is worked on later. Calls that come at the same time may together be a few more. */
export const tooManyQueued = (most: number): Rejected =>
  limited(`The workspace has ${most} inferences queued; wait for some of them, or cancel some`, most, 10);

const limited = (message: string, limit: number, retryAfterS: number): Rejected =>
  // Not so many in a while, but at once
  new Rejected('limited', 'rate_limited', message, {
    policy: 'inference',
    ...{ limit, window_s: 0, retry_after_s: retryAfterS },
  });
