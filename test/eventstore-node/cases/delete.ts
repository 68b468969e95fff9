// Soft delete and tombstone, and what a stream still does afterwards.
import type { AppendExpectedRevision } from '@eventstore/db-client';
import {
  append,
  collect,
  done,
  event,
  events,
  overBothPaths,
  read,
  outcome,
  type Case,
  type Cases,
  type Client,
  type Fresh,
} from './tools.js';

const EXPECTATIONS: Record<string, AppendExpectedRevision> = {
  any: 'any',
  no_stream: 'no_stream',
  stream_exists: 'stream_exists',
  exact: 0n,
};
// the client takes 'stream_exists' here too, against its own types: what then happens is part of the
// recording
type Deletable = Parameters<Client['deleteStream']>[1] & Parameters<Client['tombstoneStream']>[1];

const remove = (
  client: Client,
  stream: string,
  expectedRevision: AppendExpectedRevision = 'any',
): Promise<unknown> => outcome(() => done(client.deleteStream(stream, { expectedRevision } as Deletable)));

const tombstone = (
  client: Client,
  stream: string,
  expectedRevision: AppendExpectedRevision = 'any',
): Promise<unknown> => outcome(() => done(client.tombstoneStream(stream, { expectedRevision } as Deletable)));

const typesAndRevisions = (client: Client, stream: string): Promise<unknown> =>
  read(client, stream, {}, e => [e.type, e.revision]);

const metadataOf = (client: Client, stream: string): Promise<unknown> =>
  outcome(() => client.getStreamMetadata(stream).then(found => found.metadata));

const softDeleted = async (client: Client, freshName: Fresh): Promise<string> => {
  const stream = freshName();
  await append(client, stream, [event('a'), event('b')], 'no_stream');
  await client.deleteStream(stream);
  return stream;
};

/** One append to a soft-deleted stream of two events, and what is visible then. */
const appendAfterDelete =
  (expected: AppendExpectedRevision): Case =>
  (client, freshName) =>
    overBothPaths(async options => {
      const stream = await softDeleted(client, freshName);
      return {
        append: await append(client, stream, event('z'), expected, options),
        read: await typesAndRevisions(client, stream),
        metadata: await metadataOf(client, stream),
      };
    });

const deleteOfMissing =
  (expected: AppendExpectedRevision): Case =>
  async (client, freshName) => {
    const stream = freshName();
    return {
      delete: await remove(client, stream, expected),
      append: await append(client, stream, event(), 'no_stream'),
      read: await read(client, stream),
    };
  };

const tombstoneOfMissing =
  (expected: AppendExpectedRevision): Case =>
  async (client, freshName) => {
    const stream = freshName();
    return { tombstone: await tombstone(client, stream, expected), read: await read(client, stream) };
  };

const perExpectation = (prefix: string, make: (expected: AppendExpectedRevision) => Case): Cases =>
  Object.fromEntries(
    Object.entries(EXPECTATIONS).map(([name, expected]) => [`${prefix}_${name}`, make(expected)]),
  );

/** The events of $all that belong to a stream or its metadata, oldest first. */
const inAll = async (client: Client, stream: string): Promise<unknown> => {
  const newest = await collect(client.readAll({ direction: 'backwards', fromPosition: 'end', maxCount: 12 }));
  return newest
    .reverse()
    .filter(e => e.streamId.endsWith(stream))
    .map(e => ({
      stream: e.streamId,
      type: e.type,
      revision: e.revision,
      isJson: e.isJson,
      ...(e.type === '$metadata' ? { data: e.data } : {}),
    }));
};

export const deleteCases: Cases = {
  async soft_delete(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(3), 'no_stream');
    return {
      wrongRevision: await remove(client, stream, 0n),
      delete: await outcome(() =>
        client
          .deleteStream(stream, { expectedRevision: 2n })
          .then(answer => ({ position: answer.position ? 'position' : 'none' })),
      ),
      read: await read(client, stream),
      readBackwards: await read(client, stream, { direction: 'backwards', fromRevision: 'end' }),
      metadata: await metadataOf(client, stream),
      again: await remove(client, stream),
      wrongAppend: await append(client, stream, event(), 0n),
    };
  },

  append_after_soft_delete_any: appendAfterDelete('any'),
  append_after_soft_delete_no_stream: appendAfterDelete('no_stream'),
  append_after_soft_delete_stream_exists: appendAfterDelete('stream_exists'),
  append_after_soft_delete_exact: appendAfterDelete(1n),

  async soft_delete_in_all(client, freshName) {
    const stream = await softDeleted(client, freshName);
    await append(client, stream, event('z'), 'no_stream');
    return inAll(client, stream);
  },

  async soft_delete_twice_with_appends_between(client, freshName) {
    const stream = await softDeleted(client, freshName);
    await append(client, stream, event('y'), 'any');
    return {
      delete: await remove(client, stream, 2n),
      append: await append(client, stream, event('z'), 'any'),
      read: await typesAndRevisions(client, stream),
    };
  },

  ...perExpectation('soft_delete_of_missing', deleteOfMissing),
  ...perExpectation('tombstone_of_missing', tombstoneOfMissing),

  async tombstone(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(2), 'no_stream');
    return {
      wrongRevision: await tombstone(client, stream, 7n),
      tombstone: await tombstone(client, stream, 1n),
      again: await tombstone(client, stream),
      delete: await remove(client, stream),
      read: await read(client, stream),
      readBackwards: await read(client, stream, { direction: 'backwards', fromRevision: 'end', maxCount: 1 }),
      getMetadata: await metadataOf(client, stream),
      setMetadata: await outcome(() => client.setStreamMetadata(stream, { maxCount: 3 })),
    };
  },

  async append_after_tombstone(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(2), 'no_stream');
    await client.tombstoneStream(stream);
    const answers: Record<string, unknown> = {};
    for (const expected of ['any', 'no_stream', 'stream_exists', 1n, 2n] as const) {
      answers[String(expected)] = await overBothPaths(options =>
        append(client, stream, event(), expected, options),
      );
    }
    return answers;
  },

  async tombstone_of_a_soft_deleted_stream(client, freshName) {
    const stream = await softDeleted(client, freshName);
    return { tombstone: await tombstone(client, stream), read: await read(client, stream) };
  },

  async tombstone_in_all(client, freshName) {
    const stream = freshName();
    await append(client, stream, events(2), 'no_stream');
    await client.tombstoneStream(stream);
    return inAll(client, stream);
  },
};
