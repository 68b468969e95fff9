import { Metadata, status, type ServiceError } from '@grpc/grpc-js';

/** A call that ends with a status. `confirmed`: a subscription that is confirmed before it fails. */
export class Failure extends Error implements ServiceError {
  readonly details: string;
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    message: string,
    trailers: Record<string, string | number> = {},
    readonly confirmed = false,
  ) {
    super(message);
    this.details = message;
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, ascii(String(value)));
  }
}

/** Trailers carry ASCII only. */
const ascii = (value: string): string => encodeURIComponent(value).replace(/%24/g, '$').replace(/%20/g, ' ');

export const handlerFailure = (): Failure => new Failure(status.UNKNOWN, 'Exception was thrown by handler.');

export const deletedFailure = (name: string): Failure =>
  new Failure(status.FAILED_PRECONDITION, `Event stream '${name}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': name,
  });

export const tooSlowFailure = (): Failure =>
  new Failure(
    status.ABORTED,
    'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.',
  );

export const tooLargeMessage = (): Failure =>
  new Failure(status.RESOURCE_EXHAUSTED, 'Received message exceeds the maximum configured message size.');
