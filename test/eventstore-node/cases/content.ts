// What comes back of what was stored: data and metadata of every kind, and the fields of an event.
import { binaryEvent, type EventData } from '@eventstore/db-client';
import { append, event, firstOf, type Case, type Cases } from './tools.js';

const kindOf = (value: unknown): string =>
  value === undefined || value === null ? String(value) : (value as object).constructor.name;

const kept =
  (makeEvent: () => EventData): Case =>
  async (client, freshName) => {
    const stream = freshName();
    const answer = (await append(client, stream, makeEvent())) as { error?: string };
    if (answer.error) return answer;
    const { data, metadata, isJson } = await firstOf(client, stream);
    return { data, dataKind: kindOf(data), metadata, metadataKind: kindOf(metadata), isJson };
  };

const json = (data: unknown, metadata?: unknown): Case => kept(() => event('T', data, { metadata }));
const binary = (data: Uint8Array, metadata?: unknown): Case =>
  kept(() => binaryEvent({ type: 'T', data, metadata } as Parameters<typeof binaryEvent>[0]));

export const contentCases: Cases = {
  json_object: json({ a: 'é😀\u0000\u2028', n: 1e21, z: -0, d: null }, { $correlationId: 'c', x: { y: 1 } }),
  json_without_metadata: json({ a: 1 }),
  json_empty_metadata: json({ a: 1 }, {}),
  json_array: json([1, 2]),
  json_string: json('hello'),
  json_number: json(0),
  json_null: json(null),
  json_undefined: json(undefined),
  json_lone_surrogate: json({ a: '\ud800' }),
  binary: binary(Buffer.from([0, 1, 255, 254])),
  binary_empty: binary(Buffer.alloc(0)),
  binary_metadata: binary(Buffer.from([1]), new Uint8Array([0, 255, 1])),
  binary_json_metadata: binary(Buffer.from([1]), { a: 1 }),

  async fields_of_an_event(client, freshName) {
    const stream = freshName();
    const sent = event('T', { a: 1 }, { metadata: { b: 2 } });
    await append(client, stream, sent);
    const stored = await firstOf(client, stream);
    return {
      fields: Object.keys(stored).sort(),
      sameId: stored.id === sent.id,
      sameStream: stored.streamId === stream,
      created: kindOf(stored.created),
    };
  },
};
