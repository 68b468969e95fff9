/** A request that leaves the platform, to an address that somebody outside chose. */
export type OutgoingRequest = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** All of it: looking up the name, connecting, sending, and reading the answer. */
  readonly withinMs: number;
  /** So much of the answer's body is read; 0: none of it is wanted, and none read. */
  readonly maxBytes: number;
  /** So many redirects are followed, within the same origin alone; absent: a redirect is an answer. */
  readonly redirects?: number;
  readonly signal?: AbortSignal;
};
export type OutgoingAnswer = { readonly status: number; readonly body: Buffer };

/** Why there was no answer. */
export type OutgoingFailure = 'timed_out' | 'unreachable' | 'address_not_allowed' | 'answer_too_long';

/** A redirect that is not followed: to another origin, to nowhere, or one too many. */
export class RedirectRefused extends Error {}

export class OutgoingFailed extends Error {
  constructor(
    readonly reason: OutgoingFailure,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * The port to the world outside. What is private, of this machine, or special in another way is never reached
 * unless the operator allowed it, whatever name it goes by and whatever that name meant a moment ago.
 */
export type Outgoing = {
  /** Each address on the way is looked at. @throws OutgoingFailed, RedirectRefused */
  readonly send: (request: OutgoingRequest) => Promise<OutgoingAnswer>;
  /** Why an address may not be asked, as far as can be told just now, in words; null: it may. */
  readonly refusal: (url: string) => Promise<string | null>;
  /**
   * The address that a host may be connected to just now, for what is no HTTP. Whoever connects does so to
   * this address and not to the name, which may mean another a moment later. @throws OutgoingFailed
   */
  readonly addressOf: (host: string, isSecure: boolean) => Promise<string>;
  readonly close: () => Promise<void>;
};
