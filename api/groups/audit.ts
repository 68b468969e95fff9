import type { GroupKind } from '../../domain/groups/facts.js';
import { roleAllows } from '../../domain/groups/roles.js';
import { array, nullable, object } from '../../json-schema.js';
import { iso } from '../../domain/time.js';
import { auditedTypes, type AuditDoc } from '../../projections/audit/projection.js';
import { perPage, perPageMembers, perPageQuery } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { pageOf, reads, type GroupDeps } from './deps.js';
import type { Enter } from './enter.js';
import { groupParams, kinds } from './schemas.js';

const text = { type: 'string', maxLength: 1_000 } as const;
const query = object(perPageQuery(), {
  actor: { ...text, examples: ['token:tok_29x29ijjuj1roy1q'] },
  action: { enum: auditedTypes },
  resource: { ...text, examples: ['workspace-wsp_1f3k0qz7a2'] },
  from: { ...text, examples: ['2026-03-01T00:00:00Z'] },
  to: { ...text, examples: ['2026-04-01T00:00:00Z'] },
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
  const { one, id, tag, name } = kinds[kind];
  return row({
    method: 'get',
    path: `${one}/audit`,
    operation: `audit${name}`,
    summary: 'Who did what, newest first',
    tag,
    access: reads(kind),
    description:
      'What befell tokens that are limited to it, and the credits of an organization, is shown to admins '
      + 'and owners.',
    params: groupParams(id),
    query,
    ...(kind === 'workspace' && { errors: { 403: ['workspace_archived'] } }),
    answers: { 200: { description: 'Deeds, each with the request it came from', schema: answer } },
    async run(call) {
      const group = await enter(call, kind === 'organization');
      const { actor, action, resource } = call.query;
      const { limit, offset } = pageOf(call.query);
      const { items, total } = await audit.entries(
        group.id,
        { actor, action, resource, ...spanIn(call.query) },
        roleAllows(group.role, 'workspaces.write'),
        limit,
        offset,
      );
      return { body: { data: { entries: items.map(entryView), ...perPage(call.query, total) } } };
    },
  });
}

const entryView = ({ at, actor, action, resource, request, correlation, data_json }: AuditDoc) => ({
  at: iso(at),
  actor,
  action,
  resource,
  request_id: request,
  correlation_id: correlation,
  data: JSON.parse(data_json) as object,
});
