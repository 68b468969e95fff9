// Subscriptions: where they start, what they say, deletes under way, how many fit on a connection.
import type { Position, SubscribeToAllOptions, SubscribeToStreamOptions } from '@eventstore/db-client';
import {
  append,
  attempt,
  collect,
  count,
  event,
  events,
  firstOf,
  follow,
  read,
  sleep,
  watch,
  within,
  type Case,
  type Cases,
  type Client,
} from './tools.js';

const BEYOND = 1n << 50n;

/** Subscribes to a stream of `held` events; then `more` are appended. */
const followStream =
  (held: number, options: SubscribeToStreamOptions, more = 0): Case =>
  async (client, freshName) => {
    const stream = freshName();
    if (held) await append(client, stream, events(held));
    return follow(client.subscribeToStream(stream, options), {
      meanwhile: more ? () => append(client, stream, events(more)) : undefined,
    });
  };

type Positions = [Position, Position, Position, Position, Position];

/** Subscribes to $all with five events of one stream newest; then `more` are appended to it. */
const followAll =
  (options: (positions: Positions) => SubscribeToAllOptions, more = 0): Case =>
  async (client, freshName) => {
    const stream = freshName();
    await append(client, stream, events(5));
    const positions = (await collect(client.readStream(stream))).map(item => item.position!) as Positions;
    return follow(client.subscribeToAll(options(positions)), {
      show: e => (e.streamId === stream ? Number(e.revision) : 'other'),
      meanwhile: more ? () => append(client, stream, events(more)) : undefined,
    });
  };

const whileFollowed =
  (action: (client: Client, stream: string) => Promise<unknown>): Case =>
  async (client, freshName) => {
    const stream = freshName();
    await append(client, stream, events(3));
    return follow(client.subscribeToStream(stream), {
      show: e => [e.type, e.revision],
      meanwhile: () => action(client, stream),
    });
  };

export const subscribeCases: Cases = {
  stream_from_start: followStream(5, {}),
  stream_from_0: followStream(5, { fromRevision: 0n }),
  stream_from_the_last_event: followStream(5, { fromRevision: 4n }, 2),
  stream_from_beyond_the_end: followStream(5, { fromRevision: 9n }, 7),
  stream_from_end: followStream(5, { fromRevision: 'end' }, 2),

  stream_missing_from_5: followStream(0, { fromRevision: 5n }, 8),
  async stream_missing(client, freshName) {
    const stream = freshName();
    const { log, quiet } = watch(client.subscribeToStream(stream));
    await quiet(1500);
    const before = [...log];
    await append(client, stream, events(2));
    await quiet();
    return { before, after: log.slice(before.length) };
  },

  async stream_soft_deleted(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(3));
    await client.deleteStream(stream);
    return follow(client.subscribeToStream(stream), { meanwhile: () => append(client, stream, events(2)) });
  },
  async stream_tombstoned(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(3));
    await client.tombstoneStream(stream);
    return follow(client.subscribeToStream(stream));
  },
  stream_soft_deleted_meanwhile: whileFollowed((client, stream) => client.deleteStream(stream)),
  stream_tombstoned_meanwhile: whileFollowed((client, stream) => client.tombstoneStream(stream)),
  stream_soft_deleted_and_continued_meanwhile: whileFollowed(async (client, stream) => {
    await client.deleteStream(stream);
    await append(client, stream, events(2), 'any');
  }),

  async stream_with_max_count(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(10));
    await client.setStreamMetadata(stream, { maxCount: 3 });
    return {
      fromStart: await follow(client.subscribeToStream(stream)),
      from2: await follow(client.subscribeToStream(stream, { fromRevision: 2n })),
      from8: await follow(client.subscribeToStream(stream, { fromRevision: 8n })),
    };
  },

  all_from_an_event: followAll(p => ({ fromPosition: p[1] }), 2),
  all_from_the_last_event: followAll(p => ({ fromPosition: p[4] }), 2),
  all_from_end: followAll(() => ({ fromPosition: 'end' }), 2),
  all_from_no_event: followAll(p => ({
    fromPosition: { commit: p[1].commit + 1n, prepare: p[1].prepare + 1n },
  })),
  all_from_beyond_the_end: followAll(() => ({ fromPosition: { commit: BEYOND, prepare: BEYOND } }), 2),

  async all_left_early(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(5));
    const { position } = await firstOf(client, stream);
    const seen: number[] = [];
    for await (const item of client.subscribeToAll({ fromPosition: position! })) {
      seen.push(Number(item.event?.revision));
      if (seen.length === 3) break;
    }
    return { seen, next: await append(client, stream, event()) };
  },

  async disposed_under_a_subscription(client, freshName, { connect }) {
    const stream = freshName();
    await append(client, stream, events(2));
    const other = connect();
    const { log, quiet } = watch(other.subscribeToStream(stream));
    await quiet();
    await within(
      3,
      attempt(() => other.dispose()),
    );
    await sleep(300);
    return log;
  },

  /** A connection takes 100 calls: 99 subscriptions beside the appends; what is more waits silently. */
  async more_than_fit_on_a_connection(client, freshName) {
    const stream = freshName();
    await append(client, stream, event());
    const subscriptions = Array.from({ length: 130 }, () => client.subscribeToStream(stream));
    const watched = subscriptions.map(subscription => watch(subscription));
    await watched[0]!.quiet(1500);
    const has = (what: unknown): number => watched.filter(({ log }) => log.includes(what)).length;
    const answer: Record<string, unknown> = { confirmed: has('confirmation'), first: has(0) };
    answer.append = await append(client, stream, event());
    answer.read = await read(client, stream);
    await sleep(300);
    answer.second = has(1);
    for (const subscription of subscriptions.slice(0, 60)) await subscription.unsubscribe();
    await sleep(800);
    answer.afterEndOf60 = { confirmed: has('confirmation'), read: await count(client, stream) };
    for (const subscription of subscriptions.slice(60)) await subscription.unsubscribe();
    return answer;
  },
};
