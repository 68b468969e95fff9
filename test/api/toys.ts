import { Readable } from 'node:stream';
import { OutcomeUnknown, StoreUnavailable, TooLarge } from '../../commands/ports/event-store.js';
import * as paging from '../../api/edge/paging.js';
import { JsonText, row, type Row } from '../../api/edge/row.js';
import { Rejected } from '../../domain/rejected.js';
import { array, nullable, object } from '../../api/edge/schema.js';

// A small area of its own: one row for each convention.
const text = { type: 'string' } as const;
const reads = { kind: 'workspace', scope: 'data.read' } as const;
const writes = { kind: 'workspace', scope: 'data.write' } as const;
const tag = 'Events';
const anything = { type: 'object' } as const;
const ok = (schema = anything as { readonly [keyword: string]: unknown }) => ({
  200: { description: 'A toy', schema },
});
const toyParams = object({ toy_id: { ...text, maxLength: 64 } });
const names = Array.from({ length: 45 }, (_, i) => `toy${i}`);
const toysAnd = (members: Record<string, object>) =>
  object({ data: object({ toys: array(text), ...members }) });

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

/** What the rows saw, for tests to look at. */
export type Toys = {
  made: number;
  seen: unknown[];
  streamed: Readable | null;
  /** Ends what waits for `held`. */
  release: () => void;
  readonly held: Promise<void>;
};
export function newToys(): Toys {
  let release = () => {};
  const held = new Promise<void>(resolve => {
    release = resolve;
  });
  return { made: 0, seen: [], release: () => release(), held, streamed: null };
}

export const toyRows = (toys: Toys): Row[] => [
  ...making(toys),
  ...items(toys),
  ...lists(),
  ...troubles(),
  ...odd(toys),
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
    rawBody: true,
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

const items = (toys: Toys): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/{toy_id}',
    operation: 'getToy',
    summary: 'A toy',
    tag,
    access: reads,
    params: toyParams,
    versioned: true,
    errors: { 404: ['toy_not_found'] },
    answers: ok(object({ data: object({ id: text }) })),
    run: ({ params }) => {
      if (params.toy_id === 'none') throw new Rejected('missing', 'toy_not_found', 'Toy not found');
      return { body: { data: { id: params.toy_id } }, etag: '3' };
    },
  }),
  row({
    method: 'put',
    path: '/v1/toys/{toy_id}',
    operation: 'putToy',
    summary: 'Change a toy',
    tag,
    access: writes,
    params: toyParams,
    body: object({}, { name: text }),
    versioned: true,
    errors: { 409: ['version_conflict'] },
    answers: ok(object({ seen: nullable(text) })),
    run: ({ ifMatch }) => {
      if (ifMatch === '2')
        throw new Rejected('conflict', 'version_conflict', 'The toy is at version 3', { version: 3 });
      return { body: { seen: ifMatch }, etag: '4' };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/{toy_id}/parts',
    operation: 'getParts',
    summary: 'Parts',
    tag,
    access: reads,
    params: toyParams,
    answers: ok(object({ id: text })),
    run: ({ params }) => ({ body: { id: params.toy_id } }),
  }),
  row({
    method: 'get',
    path: '/v1/me',
    operation: 'getCaller',
    summary: 'Who calls',
    tag: 'Users',
    access: { kind: 'account' },
    answers: ok(),
    run: ({ caller, workspace }) => ({ body: { ...caller, chosen: workspace } }),
  }),
  row({
    method: 'get',
    path: '/v1/me/tokens',
    operation: 'getTokens',
    summary: 'Tokens',
    tag: 'Users',
    answers: ok(),
    access: { kind: 'account', scope: 'workspaces.read' },
    run: () => ({ body: {} }),
  }),
  row({
    method: 'post',
    path: '/v1/toys/promote',
    operation: 'promote',
    summary: 'Promote',
    tag,
    answers: ok(),
    access: { kind: 'workspace', scope: ['trainings.run', 'deployments.write'] },
    run() {
      toys.made++;
      return { body: {} };
    },
  }),
];

const lists = (): Row[] => [
  row({
    method: 'get',
    path: '/v1/toys/by-page',
    operation: 'toysByPage',
    summary: 'By page',
    tag,
    access: reads,
    query: object(paging.perPageQuery(), {
      search: text,
      deep: { type: 'boolean' },
      tags: array(text),
      ratio: { type: 'number', minimum: 0, maximum: 1 },
    }),
    answers: ok(toysAnd({ ...paging.perPageMembers, query: anything })),
    run: ({ query }) => {
      const start = (query.page - 1) * query.per_page;
      const data = {
        toys: names.slice(start, start + query.per_page),
        ...paging.perPage(query, names.length),
        query,
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-limit',
    operation: 'toysByLimit',
    summary: 'By limit',
    tag,
    access: reads,
    query: object(paging.pageLimitQuery()),
    answers: ok(toysAnd(paging.pageLimitMembers)),
    run: ({ query }) => ({
      body: { data: { toys: names.slice(0, query.limit), ...paging.pageLimit(query, names.length) } },
    }),
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-offset',
    operation: 'toysByOffset',
    summary: 'By offset',
    tag,
    access: reads,
    query: object(paging.offsetQuery(20, 30)),
    answers: ok(toysAnd(paging.offsetMembers)),
    run({ query }) {
      const data = {
        toys: names.slice(query.offset, query.offset + query.limit),
        ...paging.offsetPage(query, names.length),
      };
      return { body: { data } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/by-time',
    operation: 'toysByTime',
    summary: 'By time',
    tag,
    access: reads,
    query: object(paging.beforeQuery(2), { ...paging.beforeOptional, as_of: text }),
    answers: ok(toysAnd(paging.beforeMembers)),
    run: ({ query }) => {
      const from = query.cursor === undefined ? 0 : (paging.fromCursor(query.cursor) as number);
      const next_cursor = paging.cursorOf(from + query.limit);
      return {
        body: {
          data: { toys: names.slice(from, from + query.limit), has_more: true, next_before: 7, next_cursor },
        },
      };
    },
  }),
  row({
    method: 'get',
    path: '/v1/toys/heavy',
    operation: 'heavyToys',
    summary: 'Heavy',
    tag,
    access: reads,
    policy: 'heavy',
    answers: ok(),
    run: () => ({ body: new JsonText('{"ready":"text"}') }),
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
