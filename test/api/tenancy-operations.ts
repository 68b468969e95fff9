import fc from 'fast-check';

// What two tenants may do, drawn at random: the same streams, texts, times and keys for both.

export const START = 1_800_000_000_000;
const keys = ['a', 'b/c'];
const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
export type Which = { readonly key: string; readonly text: string; readonly at: number };
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
/** Of events, signals and groups. */
export const recorded = fc.oneof(
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
    weight: 3,
    arbitrary: step('billing', {
      path: one(['quota', 'quota', 'usage', 'usage?group_by=item', 'rates', 'estimates']),
    }),
  },
  {
    weight: 2,
    arbitrary: step('rename', { kind: one(['workspace', 'organization']), whose, name: one(['W', 'X']) }),
  },
  { weight: 2, arbitrary: step('invite', { whose, email: one(['nobody', 'own', 'other']), idempotency }) },
  { weight: 2, arbitrary: step('remove', { whose, whom: whose }) },
);
export type Operation = typeof recorded extends fc.Arbitrary<infer T> ? T : never;

/** What one of two tenants does. */
export type TurnOf<T> = {
  readonly by: number;
  readonly operation: T;
  /** At the same time something by the other, or nothing. */
  readonly meanwhile: T | null;
  /** The header names the other's workspace. */
  readonly astray: boolean;
  readonly wait: number;
};
export const turnOf = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<TurnOf<T>> =>
  fc.record({
    by: fc.nat(1),
    operation: of,
    meanwhile: fc.option<T, null>(of, { freq: 2 }),
    astray: fc.nat(9).map(n => n === 0),
    wait: fc.constantFrom(0, 0, 0, 0, 900, 9_000),
  });
