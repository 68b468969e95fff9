import fc from 'fast-check';
import { roles } from '../../domain/groups/roles.js';
import type { NaiveSettings } from './naive-group.js';

const DAY = 86_400_000;
// Two of them have the same address, written in two ways
export const people = [
  { uid: 'ann', email: 'ann@x.org' },
  { uid: 'bob', email: 'bob@x.org' },
  { uid: 'cem', email: 'cem@x.org' },
  { uid: 'dan', email: 'Dan@X.org' },
  { uid: 'dan2', email: 'dan@x.org' },
  { uid: 'eve', email: 'eve@x.org' },
];
/** The first workspace lies in the organization, the second in another that nothing is known of. */
export const places = [
  { kind: 'workspace', creator: 'ann' },
  { kind: 'workspace', creator: 'bob' },
  { kind: 'organization', creator: 'ann' },
] as const;
export const ORGANIZATION = 2;

const one = <T>(list: readonly T[]) => fc.constantFrom(...list);
const role = fc.oneof(one(roles), one(['admin', 'owner'] as const));
const email = one([...people.map(p => p.email), 'DAN@x.org', 'new@x.org']);
/** Somebody: mostly one of the members, else anybody. Which of them is known only when it is their turn. */
const by = fc.record({ member: fc.nat(5).map(n => n > 0), nth: fc.nat(5) });
const whom = by;
export type Whom = { readonly member: boolean; readonly nth: number };
const act = <K extends string, T extends object>(kind: K, parts: { [M in keyof T]: fc.Arbitrary<T[M]> }) =>
  fc.record({
    do: fc.constant(kind),
    place: fc.constantFrom(0, 0, 0, 1, 2),
    by,
    ...parts,
  }) as unknown as fc.Arbitrary<{ do: K; place: number; by: Whom } & T>;
/** Which invitation: so many before the last one made. */
const back = { back: fc.nat(3) };
export const operation = fc.oneof(
  { weight: 6, arbitrary: act('invite', { email, role }) },
  {
    weight: 7,
    arbitrary: act('answer', {
      ...back,
      accept: fc.oneof(fc.constant(true), fc.boolean()),
      stale: fc.nat(5).map(n => n === 0),
      rightly: fc.nat(3).map(n => n > 0),
    }),
  },
  { weight: 2, arbitrary: act('revoke', back) },
  { weight: 3, arbitrary: act('resend', back) },
  { weight: 5, arbitrary: act('changeRole', { whom, role }) },
  { weight: 3, arbitrary: act('remove', { whom }) },
  { weight: 2, arbitrary: act('leave', {}) },
  { weight: 1, arbitrary: act('rename', { name: one(['A', 'B']) }) },
  { weight: 1, arbitrary: act('archive', { rightly: fc.boolean() }) },
  { weight: 3, arbitrary: act('restore', {}) },
  { weight: 2, arbitrary: act('wait', { ms: one([DAY, 7 * DAY, 31 * DAY]) }) },
  { weight: 2, arbitrary: act('project', { page: one([1, 3, 50]) }) },
  {
    weight: 3,
    arbitrary: act('ask', {
      settings: one<Partial<NaiveSettings>>([
        { domains: ['X.org'] },
        { domains: ['y.org', 'sub.x.org'] },
        { domains: [] },
        { factor: true },
        { factor: false },
        { days: 5 },
        { days: 40 },
        { days: null },
      ]),
    }),
  },
  { weight: 4, arbitrary: act('factor', { has: fc.boolean() }) },
);
/** Something somebody does to a group, or time, or the projections. */
export type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
