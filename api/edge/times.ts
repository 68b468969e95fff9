import { EARLIEST, LATEST, parseTime } from '../../domain/time.js';
import { notValid } from './errors.js';

/**
 * Epoch seconds below 100,000,000,000, epoch milliseconds above, or ISO 8601 UTC; what is no time is refused
 * by the row.
 */
export const givenTime = {
  type: ['number', 'string', 'null'],
  description: 'epoch seconds, epoch milliseconds or ISO 8601; default: now',
  examples: ['2026-03-01T12:00:00Z'],
} as const;

export const NO_TIME = 'must be epoch seconds, epoch milliseconds or an ISO 8601 time';

/** The time a caller means, epoch ms; 422 when it is none. */
export function timeIn(value: number | string, loc: readonly string[]): number {
  const ms = parseTime(value);
  if (ms !== null) return ms;
  throw notValid([{ loc, msg: NO_TIME, type: 'time', input: value }]);
}

const NUMERIC = /^[+-]?\d+(\.\d+)?$/;

/**
 * The time that a cursor means, epoch ms: a number is of milliseconds whatever its size, else ISO 8601; 422
 * when it is none.
 */
export function msIn(value: number | string, loc: readonly string[]): number {
  const isNumber = typeof value === 'number' || NUMERIC.test(value.trim());
  const ms = isNumber ? Number(value) : parseTime(value);
  if (ms !== null && ms >= EARLIEST && ms <= LATEST) return ms;
  throw notValid([
    { loc, msg: 'must be epoch milliseconds or an ISO 8601 time', type: 'time', input: value },
  ]);
}

/** From a time to a time, epoch ms, both included; null: as far as there is anything. */
export type Span = { readonly from: number | null; readonly to: number | null };

/** The span that a query means; 422 for what is no time, and for a span that ends before it begins. */
export function spanIn(query: { readonly from?: string; readonly to?: string }): Span {
  const given = (name: 'from' | 'to') =>
    query[name] === undefined ? null : timeIn(query[name], ['query', name]);
  const from = given('from');
  const to = given('to');
  if (from !== null && to !== null && from > to)
    throw notValid([
      { loc: ['query', 'from'], msg: 'must not be after `to`', type: 'range', input: query.from },
    ]);
  return { from, to };
}
