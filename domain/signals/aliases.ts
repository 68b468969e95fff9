import { Rejected } from '../rejected.js';

/** Keys of signals that another workspace publishes; read-only here. */
export const ALIAS = 'mkt:';

/** Signals under an alias are the publisher's: nothing is written to them here. */
export function ownSignal(key: string): void {
  if (key.startsWith(ALIAS))
    throw new Rejected('forbidden', 'signal_read_only', `Signal '${key}' is a subscribed one and read-only`);
}
