export type Kind =
  | 'invalid'
  | 'unauthorized'
  | 'unpaid'
  | 'forbidden'
  | 'missing'
  | 'not_allowed'
  | 'not_acceptable'
  | 'too_slow'
  | 'conflict'
  | 'gone'
  | 'too_large'
  | 'unsupported'
  | 'unprocessable'
  | 'upgrade'
  | 'limited'
  | 'unavailable';

/**
 * The one expected throw: a request that cannot be granted, with the code and message the caller sees.
 * Anything else that is thrown is a fault of ours.
 */
export class Rejected extends Error {
  constructor(
    readonly kind: Kind,
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** The 422 of one member of a body; `path`: the way to it. */
export const memberNotValid = (path: readonly (string | number)[], type: string, msg: string): Rejected =>
  new Rejected('unprocessable', 'validation_error', `${path.join('.')} ${msg}`, {
    detail: [{ loc: ['body', ...path], msg, type }],
  });
