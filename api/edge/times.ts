import { parseTime } from '../../domain/time.js';
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

/** The time a caller means, epoch ms; 422 when it is none. */
export function timeIn(value: number | string, loc: readonly string[]): number {
  const ms = parseTime(value);
  if (ms !== null) return ms;
  const msg = 'must be epoch seconds, epoch milliseconds or an ISO 8601 time';
  throw notValid([{ loc, msg, type: 'time', input: value }]);
}
