import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { deletedFailure, Failure, handlerFailure } from './failures.js';
import { readExpected, readName, setPosition } from './messages.js';
import { StreamDeleted, WrongRevision, type Expected } from './rules.js';
import type { Store } from './store.js';

/** Soft delete: the stream reads as missing until something is appended. */
export const serveDelete = (
  { request }: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
  callback: sendUnaryData<streams.DeleteResp>,
  store: Store,
): void => {
  remove(request.getOptions()!, store, false).then(
    position =>
      callback(
        null,
        new streams.DeleteResp().setPosition(setPosition(new streams.DeleteResp.Position(), position)),
      ),
    (error: Failure) => callback(error, null),
  );
};

/** Tombstone: the name can never be used again. */
export const serveTombstone = (
  { request }: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
  callback: sendUnaryData<streams.TombstoneResp>,
  store: Store,
): void => {
  remove(request.getOptions()!, store, true).then(
    position =>
      callback(
        null,
        new streams.TombstoneResp().setPosition(setPosition(new streams.TombstoneResp.Position(), position)),
      ),
    (error: Failure) => callback(error, null),
  );
};

const remove = async (
  options: streams.DeleteReq.Options | streams.TombstoneReq.Options,
  store: Store,
  hard: boolean,
): Promise<number> => {
  const name = readName(options.getStreamIdentifier());
  const expected = readExpected(options, options.getRevision());
  try {
    return (await store.delete(name, expected, hard)).position ?? 0;
  } catch (error) {
    if (error instanceof StreamDeleted) throw deletedFailure(name);
    if (error instanceof WrongRevision) throw conflict(name, expected, error.current);
    throw handlerFailure();
  }
};

const NUMBERS = { any: -2, no_stream: -1, stream_exists: -4 } as const;

/** Here the server gives numbers, not words. */
const conflict = (name: string, expected: Expected, current: number): Failure => {
  const number = typeof expected === 'number' ? expected : NUMBERS[expected];
  return new Failure(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${name}, `
      + `Expected version: ${number}, Actual version: ${current}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': name,
      'expected-version': number,
      'actual-version': current,
    },
  );
};
