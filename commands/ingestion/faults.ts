import { Rejected } from '../../domain/rejected.js';
import { OutgoingFailed } from '../ports/outgoing.js';
import { PollFailed } from './connectors.js';

/** What an attempt fails of; null: of a fault of ours. */
export function faultOf(error: unknown): { readonly code: string; readonly message: string } | null {
  if (error instanceof OutgoingFailed) return { code: error.reason, message: sayingOf(error) };
  if (error instanceof PollFailed || error instanceof Rejected)
    return { code: error.code, message: error.message };
  return null;
}

/** What is unreachable says why in the words of the system, which may name addresses inside of it. */
const sayingOf = ({ reason, message }: OutgoingFailed): string =>
  ({
    timed_out: 'The address did not answer in time',
    unreachable: 'The address could not be reached, or did not answer in order',
    address_not_allowed: `The address ${message}`,
    answer_too_long: message,
  })[reason];
