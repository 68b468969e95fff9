import { Buffer } from 'node:buffer';
import type { Schema } from '../../json-schema.js';

// The four styles of lists. Each gives the parts of a query schema, of an answer's schema, and the members of
// the answer. `object({ ...pageQuery() }, {...})`: the parts stand among the required, since each has a
// default.

const MAX_PAGE = 1_000_000;
const MAX_OFFSET = 1_000_000_000;

const count = (fallback: number, maximum: number, description: string) =>
  ({ type: 'integer', minimum: 1, default: fallback, 'x-clamp': maximum, description }) as const;
const page = count(1, MAX_PAGE, 'Number of the page, from 1');
const whole = { type: 'integer', minimum: 0 } as const;

/** `page` + `per_page`. */
export const perPageQuery = (fallback = 20, maximum = 100) =>
  ({
    page,
    per_page: count(fallback, maximum, 'Rows of a page'),
  }) as const;
export const perPageMembers = { total: whole, page: whole, per_page: whole, total_pages: whole } as const;
export const perPage = (query: { page: number; per_page: number }, total: number) => ({
  total,
  page: query.page,
  per_page: query.per_page,
  total_pages: Math.ceil(total / query.per_page),
});

/** `page` + `limit`. */
export const pageLimitQuery = (fallback = 10, maximum = 100) =>
  ({
    page,
    limit: count(fallback, maximum, 'Rows of a page'),
  }) as const;
export const pageLimitMembers = { total: whole, page: whole, limit: whole, total_pages: whole } as const;
export const pageLimit = (query: { page: number; limit: number }, total: number) => ({
  total,
  page: query.page,
  limit: query.limit,
  total_pages: Math.ceil(total / query.limit),
});

/** `limit` + `offset`. */
export const offsetQuery = (fallback = 20, maximum = 100) =>
  ({
    limit: count(fallback, maximum, 'Rows of a page'),
    offset: {
      type: 'integer',
      minimum: 0,
      default: 0,
      'x-clamp': MAX_OFFSET,
      description: 'Rows to pass over',
    },
  }) as const;
export const offsetMembers = {
  total: whole,
  limit: whole,
  offset: whole,
  has_more: { type: 'boolean' },
} as const;
export const offsetPage = (query: { limit: number; offset: number }, total: number) => ({
  total,
  limit: query.limit,
  offset: query.offset,
  has_more: query.offset + query.limit < total,
});

/** `limit` + `before` (with `cursor` to go on inside a group of equal times). */
export const beforeQuery = (fallback = 20, maximum = 100) =>
  ({
    limit: count(fallback, maximum, 'Rows of a page'),
  }) as const;
export const beforeOptional = {
  before: { type: 'integer', description: 'Only what occurred strictly before this time, epoch ms' },
  cursor: {
    type: 'string',
    maxLength: 500,
    description: 'The `next_cursor` of the page before; goes on inside equal times',
  },
} as const satisfies Record<string, Schema>;
export const beforeMembers = {
  has_more: { type: 'boolean' },
  next_before: { type: ['integer', 'null'] },
  next_cursor: { type: ['string', 'null'] },
} as const;

/** An opaque cursor: any JSON value as URL-safe text. */
export const cursorOf = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The value inside a cursor; undefined for a text that is none. */
export function fromCursor(cursor: string): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.toString('base64url') !== cursor) return undefined;
  try {
    return JSON.parse(bytes.toString()) as unknown;
  } catch {
    return undefined;
  }
}
