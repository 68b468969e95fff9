import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status, type ServerDuplexStream } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { tooLargeMessage } from './failures.js';
import {
  BadRequest,
  dataSize,
  readExpected,
  readName,
  readProposed,
  readUuid,
  setPosition,
} from './messages.js';
import { NeverAnswered, StreamDeleted, WrongRevision, type Expected } from './rules.js';
import { isTooLarge } from './service.js';
import type { Settings } from './settings.js';
import type { Store } from './store.js';

type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type Options = streams.BatchAppendReq.Options;
type ProposedMessage = streams.BatchAppendReq.ProposedMessage;
/** One append, perhaps sent in several messages. */
type Append = { correlation: shared.UUID; options: Options; messages: ProposedMessage[] };

class TooMuchData extends Error {}
class TooLate extends Error {}

/** The batch path: one call for all appends of a client, told apart by correlation id. */
export const serveBatchAppend = (call: BatchCall, store: Store, settings: Settings): void => {
  const open = new Map<string, Append>();
  const pending = new Set<Promise<void>>();
  const answer = async (append: Append): Promise<void> => {
    const message = await answerAppend(append, store, settings);
    if (message) call.write(message);
  };
  call.on('data', (message: streams.BatchAppendReq) => {
    if (isTooLarge(message)) {
      // those before it still come through
      void Promise.all(pending).then(() => call.emit('error', tooLargeMessage()));
      return;
    }
    const append = collect(open, message);
    if (!append) return;
    const answered = answer(append).finally(() => pending.delete(answered));
    pending.add(answered);
  });
  call.on('end', () => void Promise.all(pending).then(() => call.end()));
  call.on('error', () => {}); // a lost client is no failure of ours
};

/** Adds a message to its append; gives the append when that was its last one. */
const collect = (open: Map<string, Append>, message: streams.BatchAppendReq): Append | null => {
  const correlation = message.getCorrelationId()!;
  const key = readUuid(correlation);
  const options = message.getOptions();
  const append = open.get(key) ?? (options ? { correlation, options, messages: [] } : null);
  if (!append) return null;
  append.messages.push(...message.getProposedMessagesList());
  if (message.getIsFinal()) open.delete(key);
  else open.set(key, append);
  return message.getIsFinal() ? append : null;
};

/** The answer; null: none is ever given. */
const answerAppend = async (
  append: Append,
  store: Store,
  settings: Settings,
): Promise<streams.BatchAppendResp | null> => {
  const { correlation, options } = append;
  const expected = readExpected(options, options.getStreamPosition());
  const answer = new streams.BatchAppendResp()
    .setCorrelationId(correlation)
    .setStreamIdentifier(options.getStreamIdentifier());
  try {
    return answer.setSuccess(await run(append, expected, store, settings));
  } catch (error) {
    if (error instanceof NeverAnswered) return null;
    return answer.setError(failureStatus(error, options, expected, settings.maxAppend));
  }
};

const run = async (
  { options, messages }: Append,
  expected: Expected,
  store: Store,
  settings: Settings,
): Promise<streams.BatchAppendResp.Success> => {
  const deadline = options.getDeadline();
  const name = readName(options.getStreamIdentifier());
  if (deadline && deadline.toDate() <= new Date()) throw new TooLate();
  const events = messages.map(readProposed);
  if (!name) throw new BadRequest('The stream name is empty.');
  if (dataSize(events) > settings.maxAppend) throw new TooMuchData();
  await settings.faults.beforeStore(name);
  const { revision, position } = await store.append(name, expected, events);
  await settings.faults.beforeAnswer(name);
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(revision));
  return position === undefined
    ? success
    : success.setPosition(setPosition(new shared.AllStreamPosition(), position));
};

/** What a failed append of the batch path says: a status with a packed detail message. */
const failureStatus = (
  error: unknown,
  options: Options,
  expected: Expected,
  maxAppend: number,
): statusMessages.Status => {
  if (error instanceof WrongRevision) {
    return packed(status.FAILED_PRECONDITION, 'WrongExpectedVersion', conflict(error.current, expected));
  }
  if (error instanceof StreamDeleted) {
    return packed(
      status.FAILED_PRECONDITION,
      'StreamDeleted',
      new shared.StreamDeleted().setStreamIdentifier(options.getStreamIdentifier()),
    );
  }
  if (error instanceof TooLate) return packed(status.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout());
  if (error instanceof TooMuchData) {
    return packed(
      status.INVALID_ARGUMENT,
      'MaximumAppendSizeExceeded',
      new shared.MaximumAppendSizeExceeded().setMaxappendsize(maxAppend),
    );
  }
  if (error instanceof BadRequest) {
    return packed(status.INVALID_ARGUMENT, 'BadRequest', new shared.BadRequest().setMessage(error.message));
  }
  return packed(status.UNKNOWN, 'Unknown', new shared.Unknown());
};

const packed = (
  code: status,
  type: string,
  message: { serializeBinary(): Uint8Array },
): statusMessages.Status => {
  const details = new any.Any();
  details.pack(message.serializeBinary(), `event_store.client.${type}`);
  return new statusMessages.Status().setCode(Number(code)).setMessage(type).setDetails(details);
};

const conflict = (current: number, expected: Expected): shared.WrongExpectedVersion => {
  const message = new shared.WrongExpectedVersion();
  if (current < 0) message.setCurrentNoStream(new empty.Empty());
  else message.setCurrentStreamRevision(String(current));
  if (expected === 'any') message.setExpectedAny(new empty.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new empty.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new empty.Empty());
  else message.setExpectedStreamPosition(String(expected));
  return message;
};
