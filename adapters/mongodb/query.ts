import type { Condition, Query, Where } from '../../projections/engine/read-models.js';

type Part = Readonly<Record<string, unknown>>;
export type Filter = Record<string, unknown>;

/**
 * Conditions as a filter, of operators that every server since MongoDB 5 and FerretDB 1 have. A bound only
 * matches values of its own type: that keeps null and absence outside.
 */
export const filterOf = (where: Where): Filter => all(conditions(where));

/** What `find` asks, without its options: the conditions, and strictly behind the place to start from. */
export const selected = ({ where, sort, after }: Query): Filter =>
  all([
    ...conditions(where),
    ...(after ? behind(sort?.by ?? [], after, sort?.descending ? '$lt' : '$gt') : []),
  ]);

export const sweepOf = (where: Where, before: number): Filter =>
  all([...conditions(where), { _at: { $lt: before } }]);

export const orderOf = ({ sort }: Query): Record<string, 1 | -1> =>
  Object.fromEntries((sort?.by ?? []).map(field => [field, sort?.descending ? -1 : 1]));

const all = (parts: readonly Part[]): Filter => (parts.length > 1 ? { $and: parts } : { ...parts[0] });

const conditions = (where: Where): Part[] =>
  Object.entries(where).flatMap(([field, condition]) =>
    operators(condition).map(operator => ({ [field]: operator })),
  );

function operators(condition: Condition): unknown[] {
  if (typeof condition !== 'object' || condition === null) return [condition];
  const { prefix, ...rest } = condition;
  const bounds = Object.entries(rest).map(([name, value]) => ({ [`$${name}`]: value }));
  return prefix === undefined ? bounds : [...bounds, ...starting(prefix)];
}

/** A range, which an index serves: from the prefix up to the first text behind all that start so. */
function starting(prefix: string): unknown[] {
  const points = [...prefix];
  while (points.at(-1) === '\u{10ffff}') points.pop();
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) return [{ $gte: prefix }];
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return [{ $gte: prefix }, { $lt: points.join('') + String.fromCodePoint(next) }];
}

/**
 * Behind a place in an order of several fields: further in the first, or level there and further in the next,
 * and so on. That the first is not before the place is said once more by itself, because it bounds the scan
 * of an index.
 */
function behind(by: readonly string[], after: readonly (string | number)[], beyond: '$gt' | '$lt'): Part[] {
  if (by.length === 0 || by.length !== after.length) {
    throw new RangeError(`a place of ${after.length} values in an order of ${by.length} fields`);
  }
  const levels = by.map((field, i) => [field, after[i]] as const);
  const further = by.map((field, i) => ({
    ...Object.fromEntries(levels.slice(0, i)),
    [field]: { [beyond]: after[i] },
  }));
  return by.length === 1 ? further : [{ [by[0]!]: { [`${beyond}e`]: after[0] } }, { $or: further }];
}
