import type { Submission } from '../../commands/events.js';
import type { Changes } from '../../domain/events/facts.js';
import type { FromSchema } from '../../json-schema.js';
import type { Place } from '../../projections/events/stream-queries.js';
import { notValid } from '../edge/errors.js';
import { timeIn } from '../edge/times.js';
import { fromCursor } from '../edge/paging.js';
import type { patchBody } from './event-schemas.js';
import type { recordBody } from './record-schemas.js';

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

/** The place behind which a page goes on. Older cursors have the workspace before the id. */
export function placeIn(cursor: string): Place {
  const [occurredAt, id] = [fromCursor(cursor)].flat();
  if (Number.isSafeInteger(occurredAt) && typeof id === 'string')
    return { occurredAt: occurredAt as number, id: id.slice(id.indexOf('/') + 1) };
  throw notValid([
    { loc: ['query', 'cursor'], msg: 'is not a cursor of this list', type: 'cursor', input: cursor },
  ]);
}
