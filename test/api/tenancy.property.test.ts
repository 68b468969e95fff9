import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { eventIdOf } from '../../commands/events.js';
import type { Handle } from '../../commands/engine/handle.js';
import { install, type Installed } from '../../commands/installation.js';
import type { Register } from '../../commands/registration.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

// Two tenants with the same streams, texts, times and keys on one platform; each of them also alone on a
// platform of its own, with the very same ids. Whatever the two do: each must get, byte for byte, what it
// gets where the other never was. Then nothing of one can be read, counted, named or changed by the other,
// whatever the way: lists, totals, errors, ETags, idempotency, limits.

const RUNS = Number(process.env['TENANCY_RUNS'] ?? 30);
const START = 1_800_000_000_000;
const keys = ['a', 'b/c'];
const limits = { RATE_DEFAULT: '13', RATE_PUSH: '6', RATE_PUSH_POINTS: '9' };

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
type Which = { readonly key: string; readonly text: string; readonly at: number };
const which: fc.Arbitrary<Which> = one([
  { key: 'a', text: 'Storm cuts power', at: START - 3_600_000 },
  { key: 'a', text: '42', at: START - 3_600_000 },
  { key: 'a', text: 'Storm cuts power', at: START + 300 * 86_400_000 },
  { key: 'b/c', text: 'Storm cuts power', at: START - 3_600_000 },
]);
/** Whose object or workspace is asked for, and by which version. */
const whose = fc.constantFrom('own', 'own', 'other');
const version = fc.constantFrom(null, 'own', 'own', 'other', '"1"', '"nonsense"');
const idempotency = fc.constantFrom(null, null, 'k1', 'k2');
const body = fc.record({
  event: which,
  extra: one([{}, { value: 3 }, { name: 'n', source: 's' }, { occurred_at: 'soon' }, { key: 'mkt-evt:x' }]),
});
const signalKeys = ['s', 's__x', 'a'];
const signalPaths = [
  '',
  '?search=s',
  '/overview',
  '/overview?pins=s',
  '/has-data',
  '/points?key=s',
  '/points?key=s&limit=1',
  '/revisions?key=s',
  '/units',
  '/groups',
  '/display-names',
  '/correlation?keys=s,s__x',
];
const groupPaths = [
  '',
  '/members',
  '/invitations',
  '/audit',
  '/audit?action=EventRevised&per_page=1',
  '/members?per_page=1&page=2',
];

const step = <K extends string, T extends object>(kind: K, parts: { [M in keyof T]: fc.Arbitrary<T[M]> }) =>
  fc.record({ do: fc.constant(kind), ...parts }) as unknown as fc.Arbitrary<{ do: K } & T>;
const operation = fc.oneof(
  { weight: 12, arbitrary: step('record', { body, idempotency }) },
  {
    weight: 3,
    arbitrary: step('batch', { bodies: fc.array(body, { minLength: 1, maxLength: 3 }), idempotency }),
  },
  {
    weight: 5,
    arbitrary: step('patch', {
      event: which,
      whose,
      version,
      change: one([{ name: 'x' }, { value: 7 }, { occurred_at: START + 1 }, { name: 5 }]),
    }),
  },
  { weight: 3, arbitrary: step('withdraw', { event: which, whose, version }) },
  { weight: 2, arbitrary: step('deleteStream', { key: one(keys) }) },
  {
    weight: 6,
    arbitrary: step('push', {
      key: one(signalKeys),
      hour: fc.nat(3),
      value: one([1, 2.5, 'none']),
      idempotency,
    }),
  },
  {
    weight: 2,
    arbitrary: step('label', {
      key: one(signalKeys),
      with: one([
        ['units/assign', { unit: 'EUR' }],
        ['groups/assign', { group: 'g' }],
        ['groups/unassign', {}],
        ['display-name', { name: 'N' }],
      ] as const),
    }),
  },
  { weight: 2, arbitrary: step('deleteSignals', { key: one(signalKeys) }) },
  {
    weight: 8,
    arbitrary: step('signals', {
      path: one(signalPaths),
      cursor: fc.constantFrom(null, null, 'own', 'other'),
    }),
  },
  { weight: 8, arbitrary: step('get', { event: which, whose, version, below: one(['', '', '/revisions']) }) },
  { weight: 7, arbitrary: step('again', { by: whose }) },
  {
    weight: 6,
    arbitrary: step('list', {
      path: one([
        'streams',
        'streams?points=none',
        'streams/a/events?limit=1',
        'streams/b%2Fc/events',
        'upcoming?within_hours=9600',
        'upcoming?streams=a&limit=1',
      ]),
      cursor: fc.constantFrom(null, null, 'own', 'other'),
    }),
  },
  {
    weight: 4,
    arbitrary: step('group', { kind: one(['workspace', 'organization']), path: one(groupPaths), whose }),
  },
  {
    weight: 2,
    arbitrary: step('lists', {
      path: one([
        '/v1/workspace',
        '/v1/organization',
        '/v1/workspace?per_page=1&page=2',
        '/v1/user/me',
        '/v1/user/api-tokens',
      ]),
    }),
  },
  {
    weight: 2,
    arbitrary: step('rename', { kind: one(['workspace', 'organization']), whose, name: one(['W', 'X']) }),
  },
  { weight: 2, arbitrary: step('invite', { whose, email: one(['nobody', 'own', 'other']), idempotency }) },
  { weight: 2, arbitrary: step('remove', { whose, whom: whose }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
const turn = fc.record({
  by: fc.nat(1),
  operation,
  /** At the same time something by the other, or nothing. */ meanwhile: fc.option(operation, { freq: 2 }),
  /** The header names the other's workspace. */ astray: fc.nat(9).map(n => n === 0),
  wait: fc.constantFrom(0, 0, 0, 0, 900, 9_000),
});

type Request = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};
type Seen = { readonly status: number; readonly headers: [string, string][]; readonly text: string };
/** What a tenant has been told so far, to be used by it and by the other. */
type Memory = { etag: string; cursor: string; readonly etags: Map<string, string> };
type Tenant = {
  readonly is: Installed;
  readonly email: string;
  readonly memory: Memory;
  readonly alone: Running;
  readonly random: Record<'alone' | 'together', Map<string, string>>;
};

suite('two tenants of one platform', test => {
  const folders = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  let together: Running;
  let apart: readonly Running[];
  let now = START;
  let run = 0;
  const statuses = new Map<number, number>();
  const signalsWorked = new Set<string>();
  test.before(async () => {
    const start = (nth: number) =>
      startPlatform(folders[nth]!.path, { running: ['api', 'projections'], env: limits, clock: () => now });
    together = await start(0);
    apart = [await start(1), await start(2)];
  });
  test.after(async () => {
    for (const platform of [together, ...apart]) await platform.stop();
    for (const { remove } of folders) remove();
  });

  test('get what they would get alone, whatever both do', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 30, maxLength: 60, size: 'max' }), async turns => {
        now += 120_000;
        run++;
        const tenants = [
          await tenantOn(together, apart[0]!, 0),
          await tenantOn(together, apart[1]!, 1),
        ] as const;
        for (const [nth, { by, operation, meanwhile, astray, wait }] of turns.entries()) {
          // Each in a ms of its own: what came in the same one is listed by ids, which are random
          now += 1 + wait;
          const asked = [requestOf(operation, tenants[by]!, tenants[1 - by]!, astray, `t${run}-${nth}`)];
          if (meanwhile)
            asked.push(requestOf(meanwhile, tenants[1 - by]!, tenants[by]!, false, `t${run}-${nth}m`));
          const seen = await Promise.all(
            asked.map((request, i) =>
              ask(together, request, tenants[i === 0 ? by : 1 - by]!.random.together),
            ),
          );
          for (const [i, request] of asked.entries()) {
            const tenant = tenants[i === 0 ? by : 1 - by]!;
            const alone = await ask(tenant.alone, request, tenant.random.alone);
            assert.equal(seen[i], alone, `${request.method} ${request.path} ${request.body ?? ''}`);
            remember(tenant.memory, request, seen[i]!);
            if (alone.status === 200 && request.path.startsWith('/v1/signal'))
              signalsWorked.add(request.path.split('?')[0]!);
            statuses.set(alone.status, (statuses.get(alone.status) ?? 0) + 1);
          }
        }
      }),
      {
        numRuns: RUNS,
        interruptAfterTimeLimit: 90_000,
        markInterruptAsFailure: false,
        includeErrorInReport: true,
      },
    );
    for (const status of [200, 201, 304, 403, 404, 409, 422, 429])
      assert.ok((statuses.get(status) ?? 0) > 0, `no answer was ${status}`);
    for (const path of ['push', 'points', 'overview', 'delete'])
      assert.ok(signalsWorked.has(`/v1/signal/${path}`), `${path} never worked`);
  });

  /** The same installation, with the same ids and the same token, on both platforms. */
  const tenantOn = async (first: Running, second: Running, nth: number): Promise<Tenant> => {
    const positions = new Map<Running, number>();
    const handle: Handle = async (decider, command, context, options) => {
      const outcomes = [];
      for (const each of [first, second]) {
        const outcome = await each.platform.handle(decider, command, context, options);
        positions.set(each, outcome.position!);
        outcomes.push(outcome);
      }
      return outcomes[0]!;
    };
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: now,
    };
    const register: Register = async (user, context) => {
      const [position] = [
        await first.platform.areas.identity.register(user, context),
        await second.platform.areas.identity.register(user, context),
      ];
      return position;
    };
    const email = `tenant${nth}.${run}@example.org`;
    const is = await install(
      { handle, register },
      { organization: 'Org', workspace: 'W', email, name: 'T', domainTerms: [], cell: 'local' },
      context,
    );
    for (const each of [first, second]) await each.platform.visible(positions.get(each)!);
    return {
      is,
      email,
      memory: { etag: '"none"', cursor: '', etags: new Map() },
      alone: second,
      random: { alone: new Map(), together: new Map() },
    };
  };
});

function requestOf(
  each: Operation,
  { is, email, memory }: Tenant,
  other: Tenant,
  astray: boolean,
  id: string,
): Request {
  const of = (whose: string) => (whose === 'own' ? is : other.is);
  const eventPath = ({ key, text, at }: Which, whose: string) =>
    `/v1/event/${eventIdOf(of(whose).workspaceId, key, at, text)}`;
  const groupPath = (kind: string, whose: string) =>
    kind === 'workspace'
      ? `/v1/workspace/${of(whose).workspaceId}`
      : `/v1/organization/${of(whose).organizationId}`;
  const versionOf = (version: string | null, path: string) => {
    if (version === 'own') return memory.etags.get(path) ?? memory.etag;
    return version === 'other' ? other.memory.etag : version;
  };
  const cursorOf = (cursor: string | null) => {
    if (cursor === 'own') return memory.cursor;
    return cursor === 'other' ? other.memory.cursor : '';
  };
  const emailOf = (whose: string) => {
    if (whose === 'own') return email;
    return whose === 'other' ? other.email : 'x@example.org';
  };
  const to = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
  ): Request => ({
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: {
      authorization: `Bearer ${is.token}`,
      'x-workspace-id': astray ? other.is.workspaceId : is.workspaceId,
      'x-request-id': id,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...Object.fromEntries(
        Object.entries(headers).filter((header): header is [string, string] => header[1] !== null),
      ),
    },
  });
  const given = ({ event: { key, text, at }, extra }: { event: Which; extra: object }) => ({
    key,
    text,
    occurred_at: at,
    ...extra,
  });
  switch (each.do) {
    case 'record':
      return to('POST', '/v1/event/record', given(each.body), { 'idempotency-key': each.idempotency });
    case 'batch':
      return to(
        'POST',
        '/v1/event/record-batch',
        { events: each.bodies.map(given) },
        { 'idempotency-key': each.idempotency },
      );
    case 'patch': {
      const path = eventPath(each.event, each.whose);
      return to('PATCH', path, each.change, { 'if-match': versionOf(each.version, path) });
    }
    case 'withdraw': {
      const path = eventPath(each.event, each.whose);
      return to('DELETE', path, undefined, { 'if-match': versionOf(each.version, path) });
    }
    case 'deleteStream':
      return to('DELETE', `/v1/event/streams/${encodeURIComponent(each.key)}`);
    case 'push':
      return to(
        'POST',
        '/v1/signal/push',
        { key: each.key, values: [[START - each.hour * 3_600_000, each.value]] },
        { 'idempotency-key': each.idempotency },
      );
    case 'label':
      return to(
        'POST',
        `/v1/signal/${each.with[0]}`,
        each.with[0] === 'display-name'
          ? { key: each.key, ...each.with[1] }
          : { keys: [each.key], ...each.with[1] },
      );
    case 'deleteSignals':
      return to('POST', '/v1/signal/delete', { keys: [each.key], event_streams: [] });
    case 'signals': {
      const cursor = cursorOf(each.cursor);
      const further = cursor && each.path.includes('limit') ? `&cursor=${encodeURIComponent(cursor)}` : '';
      return to('GET', `/v1/signal${each.path}${further}`);
    }
    case 'get': {
      const path = eventPath(each.event, each.whose);
      return to('GET', path + each.below, undefined, { 'if-none-match': versionOf(each.version, path) });
    }
    case 'again': {
      // What was read last, by the version that either of them has seen of it
      const path = [...memory.etags.keys()].at(-1) ?? '/v1/event/evt_none';
      return to('GET', path, undefined, { 'if-none-match': versionOf(each.by, path) });
    }
    case 'list': {
      const cursor = cursorOf(each.cursor);
      const more =
        cursor && each.path.includes('/events')
          ? `${each.path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`
          : '';
      return to('GET', `/v1/event/${each.path}${more}`);
    }
    case 'group':
      return to('GET', groupPath(each.kind, each.whose) + each.path);
    case 'lists':
      return to('GET', each.path);
    case 'rename':
      return to('PATCH', groupPath(each.kind, each.whose), { name: each.name });
    case 'invite':
      return to(
        'POST',
        `${groupPath('workspace', each.whose)}/invitations`,
        {
          email: emailOf(each.email),
          role: 'viewer',
        },
        { 'idempotency-key': each.idempotency },
      );
    case 'remove':
      return to('DELETE', `${groupPath('workspace', each.whose)}/members/${of(each.whom).uid}`);
  }
}

/**
 * `random`: ids and values that the platform drew, by what they are called here: the first, the second, ...
 * of this tenant.
 */
async function ask(
  { base }: Running,
  { method, path, headers, body }: Request,
  random: Map<string, string>,
): Promise<Seen> {
  const response = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) });
  const text = await response.text();
  const named = (drawn: string) => {
    if (!random.has(drawn)) random.set(drawn, `drawn#${random.size}`);
    return random.get(drawn)!;
  };
  const kept = [...response.headers].filter(([name]) => !['date', 'content-length'].includes(name));
  // When a token was last used is noted in the background, some time later
  const steady = text.replace(/"(last_used_at|last_used_ip)":("[^"]*"|null)/g, '"$1":null');
  return {
    status: response.status,
    headers: kept,
    text: steady.replace(/\binv_[0-9a-z]+|(?<="token":")[\w-]{43}(?=")/g, named),
  };
}

function remember(memory: Memory, { method, path }: Request, { headers, text }: Seen): void {
  const etag = headers.find(([name]) => name === 'etag')?.[1];
  const cursor = /"next_cursor":"([^"]+)"/.exec(text)?.[1];
  if (etag) {
    memory.etag = etag;
    if (method === 'GET') memory.etags.set(path, etag);
  }
  if (cursor) memory.cursor = cursor;
}
