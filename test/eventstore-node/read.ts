import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { deletedFailure, Failure, handlerFailure } from './failures.js';
import { readFilter, type Filter } from './filter.js';
import { confirmationAnswer, eventAnswer, notFoundAnswer, readName } from './messages.js';
import { Outlet, type ReadCall } from './outlet.js';
import { GONE } from './rows.js';
import { isDead } from './rules.js';
import type { Settings } from './settings.js';
import { AllSource, StreamSource, type Source } from './sources.js';
import type { Store } from './store.js';
import { Subscription } from './subscription.js';

const READ_PAGE = 256;
const BACKWARDS = 1;

type Wanted = { backwards: boolean; subscription: boolean; count: number };

/** Reads and subscriptions: the protocol has one call for both. */
export const serveRead = async (call: ReadCall, store: Store, settings: Settings): Promise<void> => {
  const outlet = new Outlet(call);
  try {
    await answer(outlet, call.request.getOptions()!, store, settings);
  } catch (error) {
    const failure = error instanceof Failure ? error : handlerFailure();
    if (failure.confirmed) await outlet.write(confirmationAnswer());
    outlet.fail(failure);
  }
};

const answer = async (
  outlet: Outlet,
  options: streams.ReadReq.Options,
  store: Store,
  settings: Settings,
): Promise<void> => {
  const wanted = {
    backwards: Number(options.getReadDirection()) === BACKWARDS,
    subscription: options.hasSubscription(),
    count: Number(options.getCount()),
  };
  const filter = readFilter(options);
  const all = options.getAll();
  const source = all
    ? openAll(store, all, wanted, settings)
    : openStream(store, options.getStream()!, wanted);
  await (wanted.subscription
    ? settings.faults.beforeSubscribe(source.name)
    : settings.faults.beforeRead(source.name));
  if (wanted.subscription) {
    const after = Number(all?.getPosition()?.getCommitPosition() ?? -1);
    await new Subscription(outlet, source, filter, after, settings).run(store);
  } else if (!source.exists()) {
    await outlet.write(notFoundAnswer(source.name));
    outlet.end();
  } else if (wanted.count > 0) {
    await sendEvents(outlet, source, filter, wanted.count);
  } // to nothing of $all a real node gives no answer
};

/** Where a stream read or subscription starts; throws a failure where the server refuses. */
const openStream = (
  store: Store,
  wanted: streams.ReadReq.Options.StreamOptions,
  read: Wanted,
): StreamSource => {
  const name = readName(wanted.getStreamIdentifier());
  if (!name) throw handlerFailure();
  if (isDead(store.rows, name)) throw deletedFailure(name);
  const nothingToRead = read.count === 0 || (wanted.hasEnd() && !read.backwards);
  if (!read.subscription && nothingToRead)
    throw new Failure(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');
  return new StreamSource(store, name, firstRevision(store, name, wanted, read), read.backwards);
};

const firstRevision = (
  store: Store,
  name: string,
  wanted: streams.ReadReq.Options.StreamOptions,
  read: Wanted,
): number => {
  if (wanted.hasStart()) return 0;
  if (wanted.hasEnd()) return read.backwards ? GONE : (store.rows.stream(name)?.revision ?? -1) + 1;
  // a subscription starts after the revision it is given, a read at it
  return Math.min(Number(wanted.getRevision()) + (read.subscription ? 1 : 0), GONE);
};

const openAll = (
  store: Store,
  wanted: streams.ReadReq.Options.AllOptions,
  read: Wanted,
  settings: Settings,
): AllSource => {
  const head = store.rows.head();
  const open = (cursor: number): AllSource => new AllSource(store, cursor, read.backwards);
  const position = wanted.getPosition();
  if (!position && wanted.hasStart()) return open(0);
  if (!position) return open(read.backwards ? GONE : head);
  const commit = Number(position.getCommitPosition());
  if (Number(position.getPreparePosition()) > commit) throw handlerFailure();
  const known = commit === 0 || commit > head || store.rows.hasPosition(commit);
  if (read.subscription) return open(subscriptionStart(commit, head, known, settings));
  if (!known) throw unexpected(settings.generation === 23 ? 'Error' : 'InvalidPosition');
  if (read.backwards && commit > head) throw unexpected('Error');
  return open(read.backwards ? commit : commit - 1); // forwards with the position itself, backwards without
};

const unexpected = (result: string): Failure =>
  new Failure(status.UNKNOWN, `Unexpected ReadAllResult: ${result}`);

const subscriptionStart = (
  commit: number,
  head: number,
  known: boolean,
  { generation }: Settings,
): number => {
  // generation 23 follows from the end when it is given a position beyond it; 24 stays silent up to there
  if (known) return generation === 23 ? Math.min(commit, head) : commit - 1;
  if (generation === 23) throw handlerFailure();
  throw new Failure(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.', {}, true);
};

const sendEvents = async (
  outlet: Outlet,
  source: Source,
  filter: Filter | null,
  limit: number,
): Promise<void> => {
  let sent = 0;
  while (sent < limit && !outlet.closed) {
    const events = source.next(Math.min(READ_PAGE, limit - sent));
    if (!events.length) break;
    for (const event of events.filter(one => !filter || filter.matches(one))) {
      await outlet.write(eventAnswer(event));
      sent += 1;
    }
    await new Promise(setImmediate);
  }
  outlet.end();
};
