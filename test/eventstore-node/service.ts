import service from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';

const generated = service.StreamsService;
const MAX_MESSAGE = 16 * 1024 * 1024;

// What stands in for a message that is not read at all; told apart by identity.
const tooLargeAppend = new streams.AppendReq();
const tooLargeBatch = new streams.BatchAppendReq();

/**
 * A message beyond 16 MiB: the real node's words for it differ from the library's, so the size is looked at
 * here.
 */
export const isTooLarge = (message: streams.AppendReq | streams.BatchAppendReq): boolean =>
  message === tooLargeAppend || message === tooLargeBatch;

const limited =
  <M>(read: (bytes: Buffer) => M, instead: M) =>
  (bytes: Buffer): M =>
    bytes.length > MAX_MESSAGE ? instead : read(bytes);

/** The Streams protocol; serve it with an unlimited message length. */
export const StreamsService = {
  ...generated,
  append: {
    ...generated.append,
    requestDeserialize: limited(generated.append.requestDeserialize, tooLargeAppend),
  },
  batchAppend: {
    ...generated.batchAppend,
    requestDeserialize: limited(generated.batchAppend.requestDeserialize, tooLargeBatch),
  },
};
