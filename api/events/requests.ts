import type { Submission } from '../../commands/events.js';
import type { Changes } from '../../domain/events/facts.js';
import type { FromSchema } from '../edge/schema.js';
import { parseTime } from '../../domain/time.js';
import type { Place } from '../../projections/events/queries.js';
import { notValid } from '../edge/errors.js';
import { fromCursor } from '../edge/paging.js';
import type { patchBody, recordBody } from './schemas.js';

/** The time a caller means, epoch ms; 422 when it is none. */
export function timeIn(given: number | string, loc: readonly string[]): number {
  const ms = parseTime(given);
  if (ms === null)
    throw notValid([
      {
        loc,
        msg: 'must be epoch seconds, epoch milliseconds or an ISO 8601 time',
        type: 'time',
        input: given,
      },
    ]);
  return ms;
}

export function submissionOf(body: FromSchema<typeof recordBody>): Submission {
  const { key, text, occurred_at, name, source, origin, value, data_type, raw } = body;
  const details = given({ name, source, origin, value: value ?? null, dataType: data_type, raw });
  return {
    key,
    text,
    occurredAt: occurred_at == null ? null : timeIn(occurred_at, ['body', 'occurred_at']),
    details,
  };
}

/** Only the members that hold something; an empty name or source is as good as none. */
const given = (members: Readonly<Record<string, unknown>>): Submission['details'] =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );

export function changesOf({ name, occurred_at, value }: FromSchema<typeof patchBody>): Changes {
  return {
    ...(name !== undefined && { name: name === '' ? null : name }),
    ...(value !== undefined && { value }),
    ...(occurred_at !== undefined && { occurredAt: timeIn(occurred_at, ['body', 'occurred_at']) }),
  };
}

/** The place behind which a page goes on. */
export function placeIn(cursor: string): Place {
  const [occurredAt, id] = [fromCursor(cursor)].flat();
  if (Number.isSafeInteger(occurredAt) && typeof id === 'string')
    return { occurredAt: occurredAt as number, id };
  throw notValid([
    { loc: ['query', 'cursor'], msg: 'is not a cursor of this list', type: 'cursor', input: cursor },
  ]);
}
