import { OutgoingFailed } from '../../commands/ports/outgoing.js';
import { isPublic, type Networks } from './addresses.js';
import { addressesOf, type Resolve } from './names.js';

/** What decides where a connection may lead. */
export type Guard = {
  /** Networks that may be asked although they are not of the public internet, also without TLS. */
  readonly allowed: Networks;
  readonly resolve: Resolve;
};

/**
 * The address that a host is connected to.
 * @throws OutgoingFailed where none of its addresses may be asked, or it has none
 */
export async function addressFor(
  host: string,
  isSecure: boolean,
  { allowed, resolve }: Guard,
): Promise<string> {
  const addresses = await addressesOf(host, resolve);
  const asked = addresses.find(address => allowed.has(address) || (isPublic(address) && isSecure));
  if (asked !== undefined) return asked;
  if (addresses.length === 0) throw new Error(`${host} has no address`);
  throw new OutgoingFailed(
    'address_not_allowed',
    addresses.some(isPublic)
      ? 'must begin with https://'
      : 'leads to an address that is not of the public internet',
  );
}

/** Looking a name up cannot be ended: it is left to itself. */
export const before = <T>(ends: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const end = () => reject(new Error('ended'));
    ends.addEventListener('abort', end, { once: true });
    if (ends.aborted) end();
    work.then(resolve, reject).finally(() => ends.removeEventListener('abort', end));
  });
