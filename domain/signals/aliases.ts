import { isReserved, PREFIXES } from '../aliases.js';
import { Rejected } from '../rejected.js';

/** Keys of signals that another workspace publishes; read-only here. */
export const ALIAS = PREFIXES.signal;

/** Signals under an alias are the publisher's: nothing is written to them here. */
export function ownSignal(key: string): void {
  if (key.startsWith(ALIAS))
    throw new Rejected('forbidden', 'signal_read_only', `Signal '${key}' is a subscribed one and read-only`);
}

/** Points go to no key that is reserved, also not to one of streams; older signals of such a name can go. */
export function recordable(key: string): void {
  if (isReserved(key))
    throw new Rejected(
      'forbidden',
      'signal_read_only',
      `Signal '${key}' has a reserved name and is read-only`,
    );
}
