import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { pageOf, reads, writes, type Enter, type GroupDeps } from './deps.js';
import * as schemas from './schemas.js';
import { memberView } from './views.js';

/** Members of a group. */
export function memberRows(
  kind: GroupKind,
  { commands, queries, clock, visible }: GroupDeps,
  enter: Enter,
): Row[] {
  const { path, id, tag } = schemas.kinds[kind];
  const members = `${path}/{${id}}/members`;
  const name = tag.slice(0, -1);
  const params = schemas.memberParams(id);
  const errors = { 403: ['role_forbidden'], 404: ['not_found'], 409: ['last_owner'] };
  return [
    row({
      method: 'get',
      path: members,
      operation: `list${name}Members`,
      summary: 'Its members',
      tag,
      access: reads(kind),
      params: schemas.groupParams(id),
      query: schemas.pageQuery,
      answers: {
        200: {
          description: 'In the order in which they joined',
          schema: schemas.paged('members', schemas.listOf.member),
        },
      },
      async run(call) {
        const group = await enter(call);
        const { items, total } = await queries.members(group.id, pageOf(call.query));
        return { body: { data: { members: items.map(memberView), ...perPage(call.query, total) } } };
      },
    }),
    row({
      method: 'patch',
      path: `${members}/{uid}`,
      operation: `change${name}Member`,
      summary: 'Change the role of a member',
      tag,
      access: writes(kind),
      params,
      body: schemas.roleBody,
      errors,
      answers: { 200: { description: 'The role now', schema: schemas.memberAnswer } },
      async run(call) {
        const group = await enter(call);
        const uid = (call.params as Record<string, string>)['uid']!;
        const { role } = call.body;
        const { position } = await commands.changeRole(
          kind,
          group.id,
          call.caller.uid,
          uid,
          role,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { data: { uid, role } } };
      },
    }),
    row({
      method: 'delete',
      path: `${members}/{uid}`,
      operation: `remove${name}Member`,
      summary: 'Remove a member, or leave',
      tag,
      access: writes(kind),
      params,
      errors,
      answers: { 200: { description: 'No longer a member', schema: schemas.deleted } },
      async run(call) {
        const group = await enter(call);
        const uid = (call.params as Record<string, string>)['uid']!;
        const { position } = await commands.removeMember(
          kind,
          group.id,
          call.caller.uid,
          uid,
          contextOf(call, clock()),
        );
        await visible(position);
        return { body: { status: 'deleted' } };
      },
    }),
  ];
}
