import { TooMuchMemory } from '../../domain/maths/compute.js';
import { Rejected, type Kind } from '../../domain/rejected.js';

/** What goes over to a worker process: one at a time. */
export type Order = { readonly task: string; readonly input: unknown; readonly asText: boolean };

/** What was thrown, as data: the class of an error does not survive the way. */
export type Thrown =
  | {
      readonly kind: 'rejected';
      readonly rejected: readonly [Kind, code: string, message: string, details: Rejected['details']];
    }
  | { readonly kind: 'memory' }
  | { readonly kind: 'fault'; readonly message: string; readonly stack: string };

/** What comes back. `spent`: the process holds so much memory that the next task should not begin in it. */
export type Reply = { readonly spent: boolean } & (
  | { readonly output: unknown }
  | { readonly thrown: Thrown }
);

/** How an allocation that cannot be had at all shows in JavaScript. */
const NO_ROOM = /allocation failed|Invalid string length/i;

export function thrownOf(error: unknown): Thrown {
  if (error instanceof Rejected)
    return { kind: 'rejected', rejected: [error.kind, error.code, error.message, error.details] };
  if (error instanceof RangeError && NO_ROOM.test(error.message)) return { kind: 'memory' };
  return error instanceof Error
    ? { kind: 'fault', message: error.message, stack: error.stack ?? '' }
    : { kind: 'fault', message: String(error), stack: '' };
}

/** The error that a thrown one was, on this side. */
export function errorOf(thrown: Thrown, memoryMb: number): Error {
  if (thrown.kind === 'rejected') return new Rejected(...thrown.rejected);
  if (thrown.kind === 'memory') return new TooMuchMemory(memoryMb);
  const error = new Error(thrown.message);
  return thrown.stack ? Object.assign(error, { stack: thrown.stack }) : error;
}
