import type { Lease } from '../../workers/engine/lease.js';
import { codes, Failure } from '../exit.js';
import type { Output } from './job.js';

/** Well within the time that a lease is held for. */
const RENEW_EVERY_MS = 10_000;

/** What holds a lease and has been killed cannot let go of it. */
const ofKilled = 'try again later; one that was killed counts for up to 30 s';

/**
 * Work that would do harm twice at a time: refused while somebody else holds its lease, and broken off when
 * the lease cannot be kept. `what`: for the message.
 */
export async function* alone(
  held: Lease,
  what: string,
  work: () => AsyncGenerator<Output>,
): AsyncGenerator<Output> {
  if ((await held.acquire()) === null)
    throw new Failure(`${what} is under way already; ${ofKilled}`, codes.inUse);
  let renewed = performance.now();
  try {
    for await (const output of work()) {
      yield output;
      if (performance.now() - renewed >= RENEW_EVERY_MS) {
        renewed = performance.now();
        if (!(await held.renew())) throw new Failure(`another process took over ${what}`, codes.inUse);
      }
      if (held.left() <= 0)
        throw new Failure(`${what} was broken off: its lease could not be renewed in time`);
    }
  } finally {
    await held.release();
  }
}
