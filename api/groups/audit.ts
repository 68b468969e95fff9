import type { GroupKind } from '../../domain/groups/facts.js';
import { roleAllows } from '../../domain/groups/roles.js';
import { array, nullable, object } from '../edge/schema.js';
import { iso, parseTime } from '../../domain/time.js';
import { auditedTypes } from '../../projections/audit/projection.js';
import { notValid } from '../edge/errors.js';
import { perPage, perPageMembers, perPageQuery } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { pageOf, reads, type Enter, type GroupDeps } from './deps.js';
import { groupParams, kinds } from './schemas.js';

const text = { type: 'string', maxLength: 1_000 } as const;
const query = object(perPageQuery(), {
  actor: { ...text, examples: ['token:tok_29x29ijjuj1roy1q'] },
  action: { enum: auditedTypes },
  resource: text,
  from: { ...text, examples: ['2026-03-01T00:00:00Z'] },
  to: text,
});
const answer = object({
  data: object({
    entries: array(
      object({
        at: { type: 'string', format: 'date-time' },
        actor: text,
        action: text,
        resource: text,
        request_id: nullable(text),
        correlation_id: text,
        data: { type: 'object' },
      }),
    ),
    ...perPageMembers,
  }),
});

/** Who did what in a group, from the facts. */
export function auditRow(kind: GroupKind, { audit }: GroupDeps, enter: Enter): Row {
  const { path, id, tag } = kinds[kind];
  return row({
    method: 'get',
    path: `${path}/{${id}}/audit`,
    operation: `audit${tag.slice(0, -1)}`,
    summary: 'Who did what, newest first',
    tag,
    access: reads(kind),
    description: 'What befell tokens that are limited to it is shown to admins and owners.',
    params: groupParams(id),
    query,
    answers: { 200: { description: 'Deeds, each with the request it came from', schema: answer } },
    async run(call) {
      const group = await enter(call, true);
      const { actor, action, resource, from, to } = call.query;
      const { limit, offset } = pageOf(call.query);
      const { items, total } = await audit.entries(
        group.id,
        { actor, action, resource, from: timeIn('from', from), to: timeIn('to', to) },
        roleAllows(group.role, 'workspaces.write'),
        limit,
        offset,
      );
      const entries = items.map(
        ({ at, data_json, request: request_id, correlation: correlation_id, ...entry }) => ({
          at: iso(at),
          actor: entry.actor,
          action: entry.action,
          resource: entry.resource,
          request_id,
          correlation_id,
          data: JSON.parse(data_json) as object,
        }),
      );
      return { body: { data: { entries, ...perPage(call.query, total) } } };
    },
  });
}

function timeIn(name: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = parseTime(given);
  if (ms === null)
    throw notValid([
      {
        loc: ['query', name],
        msg: 'must be epoch seconds, epoch milliseconds or an ISO 8601 time',
        type: 'time',
        input: given,
      },
    ]);
  return ms;
}
