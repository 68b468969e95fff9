import {
  isCommandError,
  NotLeaderError,
  StreamDeletedError,
  StreamNotFoundError,
  UnknownError,
  type ErrorType,
} from '@eventstore/db-client';

/** The server did not answer in time. */
export class Silent extends Error {}

/** Never sent: the connection could not be had, or there was no room on it. */
export class NotSent extends Error {}

// gRPC status codes
const CANCELLED = 1;
const INVALID_ARGUMENT = 3;
const DEADLINE_EXCEEDED = 4;
const PERMISSION_DENIED = 7;
const RESOURCE_EXHAUSTED = 8;
const ABORTED = 10;
const UNIMPLEMENTED = 12;
const INTERNAL = 13;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;

const codeOf = (error: unknown): number | undefined => {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'number' ? code : undefined;
};

/**
 * On a new connection the client first asks what the server can do. When that fails nothing else is sent, and
 * the error comes as it is, not as one of the client's own.
 */
const failedAtFirst = (error: unknown): boolean =>
  codeOf(error) !== undefined && !(error instanceof Error && isCommandError(error));

/** Nothing of the call has reached the server. */
export const wasNeverSent = (error: unknown): boolean => error instanceof NotSent || failedAtFirst(error);

/**
 * The client keeps that first answer, also an error (except 14 and 1, which make it connect anew): it can
 * append no more.
 */
export const isPoisoned = (error: unknown): boolean =>
  failedAtFirst(error) && codeOf(error) !== UNAVAILABLE && codeOf(error) !== CANCELLED;

const REFUSALS: ReadonlySet<ErrorType | string> = new Set([
  'stream-deleted',
  'maximum-append-size-exceeded',
  'access-denied',
  'invalid-argument',
  'unsupported',
]);
const REFUSAL_CODES: ReadonlySet<number | undefined> = new Set([
  INVALID_ARGUMENT,
  PERMISSION_DENIED,
  UNIMPLEMENTED,
  UNAUTHENTICATED,
]);

/**
 * The append was refused, or could not be asked for, and a repeat would fare no better. Everything else that
 * goes wrong with an append leaves open whether it was stored.
 */
export const isRefusal = (error: unknown): boolean => {
  if (error instanceof Silent || wasNeverSent(error)) return false;
  if (!(error instanceof Error && isCommandError(error))) return codeOf(error) === undefined;
  const unreadable = error instanceof UnknownError && error.message === 'Could not recognize BadRequest';
  return unreadable || REFUSALS.has(error.type) || REFUSAL_CODES.has(codeOf(error));
};

/**
 * A read may fare better the next time. By code, not class alone: 13 after a graceful stop of the server, 10
 * for a reader that was too slow, a plain error with 14 while there is no server; and where too many calls
 * were cancelled on the connection of late.
 */
export const mayPass = (error: unknown): boolean =>
  error instanceof Silent
  || error instanceof NotLeaderError
  || wasNeverSent(error)
  || [CANCELLED, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE].includes(codeOf(error) ?? -1)
  || hadEnough(error);

/**
 * HTTP/2's "enhance your calm", in gRPC's words; the same code stands for a message that is too large, which
 * stays so.
 */
const hadEnough = (error: unknown): boolean =>
  codeOf(error) === RESOURCE_EXHAUSTED
  && error instanceof Error
  && error.message.includes('Bandwidth exhausted');

/** The journal does not exist, or is deleted: nothing can be read. */
export const isMissing = (error: unknown): boolean =>
  error instanceof StreamNotFoundError || error instanceof StreamDeletedError;
