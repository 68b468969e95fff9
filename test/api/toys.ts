import { Readable } from 'node:stream';
import { OutcomeUnknown, StoreUnavailable, TooLarge } from '../../commands/ports/event-store.js';
import { row, type Row } from '../../api/edge/row.js';
import { Rejected } from '../../domain/rejected.js';
import { array, nullable, object } from '../../json-schema.js';
import { items } from './toy-items.js';
import { lists } from './toy-lists.js';
import { toyUploads } from './toy-uploads.js';
import { anything, ok, reads, tag, text, writes, type Toys } from './toy-parts.js';

// A small area of its own: one row for each convention.
export const toyBody = object(
  {
    key: {
      ...text,
      maxLength: 40,
      'x-required': { code: 'toy_key_required', message: "Toy key ('key') is required" },
    },
    text: { ...text, 'x-required': { code: 'toy_text_required', message: "Toy 'text' is required" } },
  },
  {
    size: { type: 'integer', minimum: 1, maximum: 9 },
    colour: { enum: ['red', 'green'] },
    note: nullable(text),
    pin: { ...text, minLength: 4, writeOnly: true },
    config: object({}, { path: text, deep: object({}, { on: { type: 'boolean' } }) }),
    parts: array(object({ label: text })),
    raw: {},
  },
);

export const toyRows = (toys: Toys): Row[] => [
  ...making(toys),
  ...items(toys),
  ...lists(),
  ...troubles(),
  ...odd(toys),
  toyUploads,
];

const making = (toys: Toys): Row[] => [
  row({
    method: 'post',
    path: '/v1/toys',
    operation: 'makeToy',
    summary: 'Make a toy',
    tag,
    access: writes,
    body: toyBody,
    answers: ok(
      object({ data: object({ number: { type: 'integer' }, body: anything, secret: nullable(text) }) }),
    ),
    errors: { 400: ['toy_key_required'], 403: ['toy_read_only'] },
    kept: body => ({ data: { ...(body as { data: object }).data, secret: null } }),
    async run({ body }) {
      toys.made++;
      if (body.key === 'forbidden') throw new Rejected('forbidden', 'toy_read_only', 'This toy is read-only');
      if (body.key === 'broken' && toys.made === 1) throw new Error('secret inner trouble');
      if (body.key === 'slow') await toys.held;
      return { body: { data: { number: toys.made, body, secret: 'shown once' } }, etag: String(toys.made) };
    },
  }),
  row({
    method: 'post',
    path: '/v1/toys/push',
    operation: 'pushToys',
    summary: 'Push',
    tag,
    access: writes,
    policy: 'push',
    body: object({ points: array({ type: 'number' }) }),
    weight: body => body.points.length,
    answers: ok(object({ status: text })),
    run: () => ({ body: { status: 'ok' } }),
  }),
  row({
    method: 'post',
    path: '/v1/deliveries/{source_id}',
    operation: 'deliver',
    summary: 'Deliver',
    tag,
    access: { kind: 'public' },
    policy: 'webhook',
    rawBody: { type: ['object', 'array'] },
    bodyLimit: 100,
    params: object({ source_id: text }),
    answers: ok(object({ bytes: text })),
    errors: { 401: ['invalid_signature'] },
    run: ({ raw, headers }) => {
      if (headers['x-signature'] === 'wrong')
        throw new Rejected('unauthorized', 'invalid_signature', 'Invalid signature');
      return { body: { bytes: raw!.toString('hex') } };
    },
  }),
];

const faults: Readonly<Record<string, () => Error>> = {
  fault: () => new TypeError('secret inner trouble'),
  store: () => new StoreUnavailable('down'),
  outcome: () => new OutcomeUnknown('toy-1', new Error('late')),
  large: () => new TooLarge('toy-1', 2_000_000),
  gone: () => new Rejected('gone', 'download_expired', 'The download has expired'),
};

const troubles = (): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/trouble',
    operation: 'trouble',
    summary: 'Trouble',
    tag,
    access: reads,
    answers: ok(),
    query: object({ kind: { enum: Object.keys(faults) } }),
    errors: { 410: ['download_expired'], 413: ['payload_too_large'] },
    run: ({ query }) => {
      throw faults[query.kind]!();
    },
  }),
];

const odd = (toys: Toys): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/stream',
    operation: 'streamToys',
    summary: 'A long list',
    tag,
    access: reads,
    query: object({}, { fail: { type: 'boolean' } }),
    answers: ok(object({ data: array({ type: 'integer' }) })),
    run: ({ query, signal }) => {
      signal.addEventListener('abort', () => {
        toys.seen.push('aborted');
      });
      toys.streamed = Readable.from(numbers(toys, query.fail === true));
      return { body: toys.streamed };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/wait',
    operation: 'waitForToys',
    summary: 'Waits',
    tag,
    access: reads,
    answers: ok(),
    run: async () => {
      toys.waits();
      await toys.held;
      return { body: { done: true } };
    },
  }),
];

async function* numbers(toys: Toys, fail: boolean): AsyncGenerator<string> {
  try {
    yield '{"data":[0';
    for (let i = 1; i < 20_000; i++) {
      if (fail && i === 5_000) throw new Error('the list broke off');
      yield `,${i}`;
    }
    yield ']}';
  } finally {
    toys.seen.push('stream ended');
  }
}
