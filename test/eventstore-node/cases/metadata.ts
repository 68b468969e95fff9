// Stream metadata: $maxCount, $tb, $maxAge, and what they hide.
import type { SetStreamMetadataOptions, StreamMetadata } from '@eventstore/db-client';
import {
  append,
  collect,
  event,
  events,
  firstOf,
  follow,
  read,
  sleep,
  outcome,
  type Cases,
  type Client,
  type Fresh,
} from './tools.js';

const streamOf = async (client: Client, freshName: Fresh): Promise<string> => {
  const stream = freshName();
  await append(client, stream, events(10), 'no_stream');
  return stream;
};

const set = (
  client: Client,
  stream: string,
  metadata: StreamMetadata,
  options?: SetStreamMetadataOptions,
): Promise<unknown> => outcome(() => client.setStreamMetadata(stream, metadata, options));

const get = (client: Client, stream: string): Promise<unknown> =>
  outcome(() => client.getStreamMetadata(stream).then(found => found.metadata ?? 'none'));

export const metadataCases: Cases = {
  async of_a_missing_stream(client, freshName) {
    const stream = freshName();
    return outcome(() => client.getStreamMetadata(stream).then(found => Object.keys(found)));
  },

  async set_and_get(client, freshName) {
    const stream = await streamOf(client, freshName);
    const given = { foo: 'bar', acl: { readRoles: ['$all'] }, cacheControl: 5, maxAge: 100, maxCount: 50 };
    return {
      set: await set(client, stream, given),
      get: await get(client, stream),
      wrongRevision: await set(client, stream, {}, { expectedRevision: 7n }),
      rightRevision: await set(client, stream, {}, { expectedRevision: 0n }),
      emptied: await get(client, stream),
    };
  },

  /** A bug of client 6.2.1: metastreamRevision holds the position, not the revision. */
  async metastream_revision(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { maxCount: 3 });
    const { metastreamRevision } = await client.getStreamMetadata(stream);
    const written = await firstOf(client, `$$${stream}`);
    return {
      isTheRevision: metastreamRevision === written.revision,
      isThePosition: metastreamRevision === written.position?.commit,
    };
  },

  async max_count(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { maxCount: 3 });
    return {
      read: await read(client, stream),
      backwards: await read(client, stream, { direction: 'backwards', fromRevision: 'end' }),
      backwardsFrom8: await read(client, stream, { direction: 'backwards', fromRevision: 8n }),
      from0Max2: await read(client, stream, { fromRevision: 0n, maxCount: 2 }),
      from1: await read(client, stream, { fromRevision: 1n }),
      append: await append(client, stream, event(), 9n),
      readAgain: await read(client, stream),
    };
  },

  async max_count_hides_nothing_in_all(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { maxCount: 3 });
    const newest = await collect(
      client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 11 }),
    );
    const mine = newest.reverse().filter(e => e.streamId.endsWith(stream));
    return mine.map(e =>
      e.type === '$metadata' ? [e.streamId, e.type, e.isJson, e.data] : Number(e.revision),
    );
  },

  async truncate_before(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { truncateBefore: 8 });
    return {
      read: await read(client, stream),
      backwards: await read(client, stream, { direction: 'backwards', fromRevision: 'end' }),
      backwardsFrom5: await read(client, stream, { direction: 'backwards', fromRevision: 5n }),
    };
  },

  async truncate_everything(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { truncateBefore: 100 });
    return {
      read: await read(client, stream),
      no_stream: await append(client, stream, event(), 'no_stream'),
      stream_exists: await append(client, stream, event(), 'stream_exists'),
      exact: await append(client, stream, event(), 9n),
      readAgain: await read(client, stream),
      clear: await set(client, stream, {}),
      readCleared: await read(client, stream),
    };
  },

  async max_age(client, freshName) {
    const stream = await streamOf(client, freshName);
    await set(client, stream, { maxAge: 1 });
    await sleep(2200);
    return {
      read: await read(client, stream),
      append: await append(client, stream, event(), 'stream_exists'),
      readAgain: await read(client, stream),
      subscription: await follow(client.subscribeToStream(stream)),
    };
  },

  async before_the_stream(client, freshName) {
    const stream = freshName();
    return {
      set: await set(client, stream, { maxCount: 2 }),
      read: await read(client, stream),
      stream_exists: await append(client, stream, events(1), 'stream_exists'),
      no_stream: await append(client, stream, events(4), 'no_stream'),
      any: await append(client, stream, events(4), 'any'),
      readAgain: await read(client, stream),
    };
  },

  async before_the_stream_no_stream(client, freshName) {
    const stream = freshName();
    await set(client, stream, { maxCount: 2 });
    return {
      no_stream: await append(client, stream, events(4), 'no_stream'),
      read: await read(client, stream),
    };
  },
};
