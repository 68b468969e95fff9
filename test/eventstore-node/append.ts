import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status, type sendUnaryData, type ServerReadableStream } from '@grpc/grpc-js';
import { deletedFailure, Failure, handlerFailure, tooLargeMessage } from './failures.js';
import { dataSize, readExpected, readName, readProposed, setPosition } from './messages.js';
import type { Proposed } from './rows.js';
import { NeverAnswered, StreamDeleted, WrongRevision, type Expected } from './rules.js';
import type { Settings } from './settings.js';
import { isTooLarge } from './service.js';
import type { Store } from './store.js';

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** The unary path: one call per append, errors as status codes. */
export const serveAppend = (
  call: AppendCall,
  callback: sendUnaryData<streams.AppendResp>,
  store: Store,
  settings: Settings,
): void => {
  const messages: streams.AppendReq[] = [];
  let done = false;
  const finish = (error: Failure | null, answer: streams.AppendResp | null): void => {
    if (!done) callback(error, answer);
    done = true;
  };
  call.on('cancelled', () => {
    done = true;
  });
  call.on('data', (message: streams.AppendReq) => {
    if (isTooLarge(message)) finish(tooLargeMessage(), null);
    else messages.push(message);
  });
  call.on('end', () => {
    if (done) return;
    answerAppend(messages, store, settings).then(
      answer => answer && finish(null, answer),
      error => finish(error, null),
    );
  });
};

/** The answer; null: none is ever given. Rejects with a Failure. */
const answerAppend = async (
  messages: readonly streams.AppendReq[],
  store: Store,
  settings: Settings,
): Promise<streams.AppendResp | null> => {
  const header = messages.find(message => message.hasOptions())!.getOptions()!;
  const name = readName(header.getStreamIdentifier());
  const expected = readExpected(header, header.getRevision());
  const events = readEvents(messages);
  if (!name) throw handlerFailure();
  if (dataSize(events) > settings.maxAppend) throw tooMuchData(settings.maxAppend);
  try {
    await settings.faults.beforeStore(name);
    const { revision, position } = await store.append(name, expected, events);
    await settings.faults.beforeAnswer(name);
    const success = new streams.AppendResp.Success().setCurrentRevision(String(revision));
    if (position !== undefined) success.setPosition(setPosition(new streams.AppendResp.Position(), position));
    return new streams.AppendResp().setSuccess(success);
  } catch (error) {
    if (error instanceof NeverAnswered) return null;
    if (error instanceof StreamDeleted) throw deletedFailure(name);
    if (!(error instanceof WrongRevision)) throw handlerFailure();
    return new streams.AppendResp().setWrongExpectedVersion(conflict(error.current, expected));
  }
};

const readEvents = (messages: readonly streams.AppendReq[]): Proposed[] => {
  try {
    return messages.flatMap(message => message.getProposedMessage() ?? []).map(readProposed);
  } catch {
    throw handlerFailure();
  }
};

const tooMuchData = (most: number): Failure =>
  new Failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${most} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': most,
  });

const conflict = (current: number, expected: Expected): streams.AppendResp.WrongExpectedVersion => {
  const message = new streams.AppendResp.WrongExpectedVersion();
  if (current < 0) message.setCurrentNoStream(new shared.Empty());
  else message.setCurrentRevision(String(current));
  if (expected === 'any') message.setExpectedAny(new shared.Empty());
  else if (expected === 'no_stream') message.setExpectedNoStream(new shared.Empty());
  else if (expected === 'stream_exists') message.setExpectedStreamExists(new shared.Empty());
  else message.setExpectedRevision(String(expected));
  return message;
};
