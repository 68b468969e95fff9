import type { Condition, Query, Scalar, Where } from '../../projections/engine/read-models.js';
import type { Value } from './database.js';

/** A piece of SQL with the values of its parameters. */
export type Sql = { readonly text: string; readonly values: readonly Value[] };

/**
 * What `find` asks: each row is the document as JSON or, with `fields`, the `_id` and each field as JSON
 * (NULL: absent).
 */
export const selecting = (
  collection: string,
  { where, sort, after, limit = -1, offset = 0, fields }: Query,
): Sql => {
  const by = (sort?.by ?? []).map(column);
  const descending = sort?.descending ?? false;
  // The place first: of two bounds on one side SQLite searches by the first, and a prefix begins before every
  // place in it
  const held = join([...(after ? [behind(by, after, descending)] : []), ...conditions(where)], ' AND ');
  const order = by.length
    ? ` ORDER BY ${by.map(field => (descending ? `${field} DESC` : field)).join(', ')}`
    : '';
  const columns = fields ? ['_id', ...fields.map(json)].join(', ') : 'doc';
  return {
    text: `SELECT ${columns} FROM ${quoted(collection)}${given(held)}${order} LIMIT ? OFFSET ?`,
    values: [...held.values, limit, offset],
  };
};

export const counting = (collection: string, where: Where): Sql => {
  const held = join(conditions(where), ' AND ');
  return { text: `SELECT count(*) FROM ${quoted(collection)}${given(held)}`, values: held.values };
};

export const sweeping = (collection: string, where: Where, before: number): Sql => {
  const held = join([...conditions(where), { text: '_at < ?', values: [before] }], ' AND ');
  return { text: `DELETE FROM ${quoted(collection)}${given(held)}`, values: held.values };
};

/** The name of a collection as SQL; other names than letters, digits and `_` are refused. */
export const quoted = (collection: string): string => {
  if (!/^[A-Za-z][A-Za-z0-9_]*$/.test(collection))
    throw new RangeError(`not the name of a collection: ${collection}`);
  return `"${collection}"`;
};

/** A field as SQL compares it. Indexes are made on this very text: SQLite knows them again by it. */
export const column = (field: string): string =>
  field === '_id' || field === '_at' ? field : `doc ->> ${path(field)}`;

const json = (field: string): string =>
  field === '_id' || field === '_at' ? field : `doc -> ${path(field)}`;

const path = (field: string): string => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(field)) throw new RangeError(`not the name of a field: ${field}`);
  return `'$.${field}'`;
};

const given = (held: Sql): string => (held.text ? ` WHERE ${held.text}` : '');

const join = (parts: readonly Sql[], by: string): Sql => ({
  text: parts.map(part => part.text).join(by),
  values: parts.flatMap(part => part.values),
});

const conditions = (where: Where): Sql[] =>
  Object.entries(where).flatMap(([field, condition]) => holding(column(field), condition));

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

const holding = (field: string, condition: Condition): Sql[] => {
  if (condition === null) return [{ text: `${field} IS NULL`, values: [] }];
  if (typeof condition !== 'object') return [compared(field, '=', condition)];
  const { in: list, prefix, ...bounds } = condition;
  return [
    ...Object.entries(bounds).map(([name, bound]) =>
      compared(field, OPERATORS[name as keyof typeof OPERATORS], bound),
    ),
    ...(list
      ? [{ text: `${field} IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(list)] }]
      : []),
    ...(prefix === undefined ? [] : starting(field, prefix)),
  ];
};

const compared = (field: string, operator: string, value: Scalar): Sql => {
  const { text, values } = bound(value);
  return { text: `${field} ${operator} ${text}`, values };
};

/** As a range, which an index serves: from the prefix up to the first text behind all that start so. */
const starting = (field: string, prefix: string): Sql[] => {
  const end = behindAll(prefix);
  return [compared(field, '>=', prefix), ...(end === null ? [] : [compared(field, '<', end)])];
};

const behindAll = (prefix: string): string | null => {
  const points = [...prefix];
  while (points.at(-1) === '\u{10ffff}') points.pop();
  const last = points.pop()?.codePointAt(0);
  if (last === undefined) return null;
  return points.join('') + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
};

/**
 * The bound on the first field says nothing new, but an index on expressions can be searched by it, and not
 * by a row value.
 */
const behind = (by: readonly string[], after: readonly Scalar[], descending: boolean): Sql => {
  if (by.length === 0 || by.length !== after.length) {
    throw new RangeError(`a place of ${after.length} values in an order of ${by.length} fields`);
  }
  const { text, values } = join(after.map(bound), ', ');
  const operator = descending ? '<' : '>';
  const first = compared(by[0]!, `${operator}=`, after[0]!);
  return {
    text: `${first.text} AND (${by.join(', ')}) ${operator} (${text})`,
    values: [...first.values, ...values],
  };
};

/**
 * A value as a parameter. SQLite reads fractions a last bit off now and then, and libsql cuts text at U+0000
 * and loses lone surrogates: such values go the way the documents went, through JSON, so that equal stays
 * equal.
 */
const bound = (value: Scalar): Sql => {
  if (typeof value === 'boolean') return { text: '?', values: [Number(value)] };
  const plain = typeof value === 'string' ? !/[\0\p{Surrogate}]/u.test(value) : Number.isSafeInteger(value);
  return plain ? { text: '?', values: [value] } : { text: "(? ->> '$')", values: [JSON.stringify(value)] };
};
