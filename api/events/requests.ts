import type { Submission } from '../../commands/events.js';
import type { Changes } from '../../domain/events/facts.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { FromSchema } from '../../json-schema.js';
import type { Place } from '../../projections/events/stream-queries.js';
import { notValid } from '../edge/errors.js';
import { keyList } from '../edge/key-list.js';
import { timeIn } from '../edge/times.js';
import { fromCursor } from '../edge/paging.js';
import type { EventDeps } from './deps.js';
import type { patchBody } from './event-schemas.js';
import type { recordBody } from './record-schemas.js';

export function submissionOf(body: FromSchema<typeof recordBody>): Submission {
  const { key, text, occurred_at, name, source, origin, value, data_type, raw } = body;
  const details = given({ name, source, origin, value, dataType: data_type }, raw);
  return {
    key,
    text,
    occurredAt: occurred_at == null ? null : timeIn(occurred_at, ['body', 'occurred_at']),
    details,
  };
}

/** Only what holds something: an empty name or source is as good as none; a payload may be empty. */
const given = (members: Readonly<Record<string, unknown>>, raw: unknown): Submission['details'] => ({
  ...Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? '') !== '')),
  ...((raw ?? null) !== null && { raw }),
});

export function changesOf({ name, occurred_at, value }: FromSchema<typeof patchBody>): Changes {
  return {
    ...(name !== undefined && { name: name === '' ? null : name }),
    ...(value !== undefined && { value }),
    ...(occurred_at !== undefined && { occurredAt: timeIn(occurred_at, ['body', 'occurred_at']) }),
  };
}

/**
 * Which streams a query means: those that it names, those that drive the goal that it names, or both at once;
 * null: all. @throws Rejected 422 where it names none, 404 for a goal that is not there
 */
export async function streamsIn(
  { driving }: Pick<EventDeps, 'driving'>,
  workspace: string,
  { streams, goal_id: goalId }: { readonly streams?: string; readonly goal_id?: string },
): Promise<readonly string[] | null> {
  const named = streams === undefined ? null : keyList(streams);
  if (named?.length === 0)
    throw notValid([{ loc: ['query', 'streams'], msg: 'must name a stream', type: 'min_items' }]);
  if (goalId === undefined) return named;
  const found = await driving(workspace, goalId);
  if (!found) throw goalNotFound();
  return named?.filter(key => found.includes(key)) ?? found;
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
