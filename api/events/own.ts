import { Rejected } from '../../domain/rejected.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';

/**
 * A write to an event of the workspace's own. What is not among these may be there all the same, to be read
 * only: 403 then.
 */
export async function own<T>(
  reads: EventReads,
  workspace: string,
  eventId: string,
  write: Promise<T>,
): Promise<T> {
  try {
    return await write;
  } catch (error) {
    const isUnknown = error instanceof Rejected && error.code === 'event_not_found';
    if (!isUnknown || !(await reads.ofEvent(workspace, eventId))) throw error;
    throw new Rejected('forbidden', 'stream_read_only', 'The event is of a subscribed stream and read-only');
  }
}
