import type { Decider } from '../decider.js';
import { Rejected } from '../rejected.js';
import type { DeleteStream } from './commands.js';
import type { StreamDeleted } from './facts.js';

/** Keys of streams that another workspace publishes; read-only here. */
export const SUBSCRIBED = 'mkt-evt:';

/** Subscribed streams are the publisher's: nothing is recorded to them or deleted from them here. */
export function ownStream(key: string): void {
  if (key.startsWith(SUBSCRIBED))
    throw new Rejected('forbidden', 'stream_read_only', `Event stream '${key}' is a subscribed one and read-only`);
}

/** A stream has no state of its own but its ends: each deletion closes one life, the next event recorded opens another. */
export const streams: Decider<DeleteStream, StreamDeleted, null> = {
  category: 'stream', idOf: ({ data }) => `${data.workspace}.${data.key}`, initialState: null,
  decide: ({ data: { key } }) => {
    ownStream(key);
    return [{ type: 'StreamDeleted', data: { key } }];
  },
  evolve: state => state,
};
