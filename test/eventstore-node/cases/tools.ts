// Helpers of the cases: they call the client and say in plain JSON what came back.
import {
  binaryEvent,
  jsonEvent,
  type AllStreamSubscription,
  type AppendExpectedRevision,
  type AppendResult,
  type AppendToStreamOptions,
  type EventData,
  type EventStoreDBClient,
  type ReadStreamOptions,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamSubscription,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import type { EventEmitter } from 'node:events';

export type Client = EventStoreDBClient;
export type Fresh = () => string;
/**
 * A question to a server: the answer in plain JSON. `connect` makes another client, with more of a connection
 * string.
 */
export type Case = (
  client: Client,
  freshName: Fresh,
  more: { connect(query?: string): Client },
) => Promise<unknown>;
export type Cases = Record<string, Case>;
type Show = (event: RecordedEvent) => unknown;

export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

type More = { id?: string; metadata?: unknown };
/** An event may carry anything here, also what our own adapter would never send. */
export const event = (
  type = 'T',
  data: unknown = {},
  { id = randomUUID(), metadata }: More = {},
): EventData => jsonEvent({ id, type, data, metadata } as Parameters<typeof jsonEvent>[0]);

export const events = (count: number, type = 'T'): EventData[] =>
  Array.from({ length: count }, (_, i) => event(type, { i }));

export const bytes = (
  size: number,
  { type = 'T', metadata }: { type?: string; metadata?: Uint8Array } = {},
): EventData =>
  binaryEvent({ type, data: Buffer.alloc(size, 1), metadata } as Parameters<typeof binaryEvent>[0]);

const ERROR_FIELDS = [
  'type',
  'code',
  'message',
  'streamName',
  'expectedVersion',
  'actualVersion',
  'maxAppendSize',
] as const;

export type Described = { error: string | undefined } & Record<string, unknown>;

export const describeError = (thrown: unknown): Described => {
  const error = thrown as Record<string, unknown> | undefined;
  const answer: Described = { error: error?.constructor?.name };
  for (const field of ERROR_FIELDS) if (error?.[field] !== undefined) answer[field] = error[field];
  // the client's own time and peer address
  answer.message = String(answer.message).replace(/(?<=Deadline exceeded after ).*/, '…');
  return answer;
};

/** The result of an action, or its error in words. */
export const attempt = async <T>(action: () => T | Promise<T>): Promise<T | Described> => {
  try {
    return await action();
  } catch (error) {
    return describeError(error);
  }
};

/** How much longer than it says a case waits for an answer: a busy machine is not a silent server. */
const SLOWNESS = 3;

/** The answer, or that there was none in so many seconds. */
export const within = async <T>(seconds: number, promise: Promise<T>): Promise<T | string> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>(resolve => {
    timer = setTimeout(resolve, seconds * 1000 * SLOWNESS, `no answer in ${seconds} s`);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};

export const describeSuccess = ({ success, nextExpectedRevision, position }: AppendResult): unknown => ({
  ok: success,
  revision: nextExpectedRevision,
  position: position ? 'position' : 'none',
});

/** Appends and tells what came of it: success, the error, or that no answer came. */
export const append = (
  client: Client,
  stream: string,
  what: EventData | EventData[],
  expectedRevision: AppendExpectedRevision = 'any',
  options: AppendToStreamOptions = {},
): Promise<unknown> =>
  attempt(() =>
    within(5, client.appendToStream(stream, what, { expectedRevision, ...options }).then(describeSuccess)),
  );

export const isOk = (answer: unknown): boolean => (answer as { ok?: boolean }).ok === true;

const PATHS: Record<string, AppendToStreamOptions> = {
  batch: {},
  // credentials of a call's own make the client take the unary call
  unary: { credentials: { username: 'admin', password: 'changeit' } },
};

type Run = (options: AppendToStreamOptions) => Promise<unknown>;
/** Runs the same thing over both ways an append can take. */
export const overBothPaths = async (run: Run): Promise<Record<string, unknown>> => {
  const answers: Record<string, unknown> = {};
  for (const [path, options] of Object.entries(PATHS)) answers[path] = await run(options);
  return answers;
};

/** The events of a read, as recorded. */
export const collect = async (iterable: AsyncIterable<ResolvedEvent>): Promise<RecordedEvent[]> => {
  const list: RecordedEvent[] = [];
  for await (const { event: recorded } of iterable) if (recorded) list.push(recorded);
  return list;
};

/** The first event of a stream. */
export const firstOf = async (client: Client, stream: string): Promise<RecordedEvent> =>
  (await collect(client.readStream(stream, { maxCount: 1 })))[0]!;

/** What a stream read gives, one `show` of each event; that no answer came, or the error. */
export const read = (
  client: Client,
  stream: string,
  options: ReadStreamOptions = {},
  show: Show = e => Number(e.revision),
): Promise<unknown> =>
  attempt(() =>
    within(
      3,
      collect(client.readStream(stream, options)).then(list => list.map(show)),
    ),
  );

export const readTypes = (client: Client, stream: string): Promise<unknown> =>
  read(client, stream, {}, e => e.type).then(types => (Array.isArray(types) ? types.join('') : types));

export const count = (client: Client, stream: string, options: ReadStreamOptions = {}): Promise<unknown> =>
  read(client, stream, options).then(revisions => (Array.isArray(revisions) ? revisions.length : revisions));

export const outcome = (answer: () => Promise<unknown>): Promise<unknown> =>
  attempt(() => within(5, answer())).then(result => (isAppended(result) ? describeSuccess(result) : result));

const isAppended = (result: unknown): result is AppendResult =>
  (result as Partial<AppendResult> | undefined)?.success !== undefined;

export const done = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'ok');

const SIGNALS = ['confirmation', 'caughtUp', 'fellBehind', 'end', 'close'] as const;
const TICK_MS = 20;

export type Subscription = StreamSubscription | AllStreamSubscription;
export type Watched = { log: unknown[]; add(entry: unknown): void; quiet(ms?: number): Promise<void> };

/**
 * Logs what a subscription does: signals and errors in words, events as `show` says. `quiet` waits until
 * nothing was logged for that long, counted in turns of a timer, so that a stalled process does not look like
 * a quiet server.
 */
export const watch = (subscription: Subscription, show: Show = e => Number(e.revision)): Watched => {
  const log: unknown[] = [];
  let still = 0;
  const add = (entry: unknown): void => {
    log.push(entry);
    still = 0;
  };
  const emitter: EventEmitter = subscription;
  for (const signal of SIGNALS) emitter.on(signal, () => add(signal));
  emitter.on('data', (resolved: ResolvedEvent) => add(show(resolved.event!)));
  emitter.on('error', (error: unknown) => add(describeError(error)));
  const quiet = async (ms = 350): Promise<void> => {
    for (still = 0; still < ms / TICK_MS; still += 1) await sleep(TICK_MS);
  };
  return { log, add, quiet };
};

type Following = { show?: Show; meanwhile?: (() => Promise<unknown>) | undefined };

/** A whole short life of a subscription: start, settle, maybe something happens, unsubscribe. */
export const follow = async (
  subscription: Subscription,
  { show, meanwhile }: Following = {},
): Promise<unknown[]> => {
  const { log, quiet } = watch(subscription, show);
  await quiet();
  if (meanwhile) {
    await meanwhile();
    await quiet();
  }
  await subscription.unsubscribe();
  await sleep(50);
  return log;
};
