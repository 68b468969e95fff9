import {
  MAX_APPEND_BYTES,
  OutcomeUnknown,
  StoreUnavailable,
  TooLarge,
} from '../../commands/ports/event-store.js';
import { Rejected, type Kind } from '../../domain/rejected.js';

export const statusOf: Readonly<Record<Kind, number>> = {
  invalid: 400,
  unauthorized: 401,
  unpaid: 402,
  forbidden: 403,
  missing: 404,
  not_allowed: 405,
  not_acceptable: 406,
  too_slow: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  upgrade: 426,
  limited: 429,
  unavailable: 503,
};

/**
 * One thing wrong with a request, as the 422 body lists it; `input` is left out for secrets and what is long.
 */
export type Fault = {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
};

const MAX_FAULTS = 50;

/** The 422 of a request whose shape is wrong. */
export const notValid = (faults: readonly Fault[]): Rejected => {
  const many = faults.length === 1 ? '1 field is not valid' : `${faults.length} fields are not valid`;
  return new Rejected('unprocessable', 'validation_error', many, { detail: faults.slice(0, MAX_FAULTS) });
};

export type ErrorAnswer = {
  readonly status: number;
  readonly body: unknown;
  readonly headers: readonly string[];
};

/**
 * The answer to a refused request: the envelope, and the headers that go with its status (names and values in
 * turn).
 */
export function errorAnswer(refused: Rejected, requestId: string): ErrorAnswer {
  const status = statusOf[refused.kind];
  const { detail, ...details } = refused.details;
  const envelope = {
    error: { code: refused.code, message: refused.message, details: { request_id: requestId, ...details } },
    status: refused.message,
  };
  // A validation body is the envelope and more, for every 422
  return {
    status,
    body: status === 422 ? { detail: detail ?? [], ...envelope } : envelope,
    headers: headersOf(refused, status),
  };
}

/** What is thrown, as the one expected kind; null for a fault of ours. */
export function refusalOf(thrown: unknown): Rejected | null {
  if (thrown instanceof Rejected) return thrown;
  if (thrown instanceof StoreUnavailable) {
    return overloaded(1, 'The store does not answer; nothing was written');
  }
  if (thrown instanceof OutcomeUnknown) {
    return overloaded(1, 'The store did not confirm in time; send the same request again');
  }
  if (thrown instanceof TooLarge) return tooLargeToWrite;
  return null;
}

export const overloaded = (
  retryAfterS: number,
  message = 'Too much is under way; try again soon',
): Rejected => new Rejected('unavailable', 'overloaded', message, { retry_after_s: retryAfterS });

export const tooLarge = (limit: number): Rejected =>
  new Rejected('too_large', 'payload_too_large', `The body may have at most ${limit} bytes`, {
    limit_bytes: limit,
    limit_of: 'body',
  });

/** A body that was small enough, of which more is to be written at once than a store takes. */
const tooLargeToWrite = new Rejected(
  'too_large',
  'payload_too_large',
  `What this writes at once may have at most ${MAX_APPEND_BYTES} bytes; send it in several requests`,
  { limit_bytes: MAX_APPEND_BYTES, limit_of: 'write' },
);

/** The answer to a fault of ours: the cause is in the log under the request id, never here. */
export const faultAnswer = (requestId: string): ErrorAnswer => ({
  status: 500,
  headers: [],
  body: {
    error: { code: 'internal_error', message: 'Internal error', details: { request_id: requestId } },
    status: 'Internal error',
  },
});

function headersOf({ code, message, details }: Rejected, status: number): readonly string[] {
  const headers: string[] = [];
  if (status === 401) {
    const why = code.startsWith('token_') ? `, error="invalid_token", error_description="${message}"` : '';
    headers.push('WWW-Authenticate', `Bearer realm="presage"${why}`);
  }
  if (status === 408) headers.push('Connection', 'close');
  if (code === 'insufficient_scope') {
    const scope = (details.required as string[]).join(' ');
    headers.push('WWW-Authenticate', `Bearer error="insufficient_scope", scope="${scope}"`);
  }
  if (typeof details.upgrade === 'string') headers.push('Upgrade', details.upgrade);
  if (typeof details.allow === 'string') headers.push('Allow', details.allow);
  if (typeof details.retry_after_s === 'number') {
    headers.push('Retry-After', String(Math.ceil(details.retry_after_s)));
  }
  return headers;
}
