import { networksOf, type Networks } from '../adapters/outgoing/addresses.js';
import { BadConfiguration, type Config } from '../config.js';

/**
 * Networks that may be asked although they are not of the public internet.
 * @throws BadConfiguration for what is no network
 */
export function allowedIn({ OUTGOING_ALLOW }: Config): Networks {
  try {
    return networksOf(OUTGOING_ALLOW);
  } catch (error) {
    throw new BadConfiguration(`OUTGOING_ALLOW is not possible: ${(error as Error).message}`);
  }
}
