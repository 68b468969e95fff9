import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, goneOr, wouldBe } from '../edge/dry-run.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { pageOf, reads, writes, type GroupDeps } from './deps.js';
import type { Enter } from './enter.js';
import { lastActive } from './last-active.js';
import * as schemas from './schemas.js';
import { memberView } from './views.js';

const errors = { 403: ['role_forbidden'], 404: ['not_found'], 409: ['last_owner'] };

/** Members of a group. */
export const memberRows = (kind: GroupKind, deps: GroupDeps, enter: Enter): Row[] => [
  listRow(kind, deps, enter),
  changeRow(kind, deps, enter),
  removeRow(kind, deps, enter),
];

function listRow(kind: GroupKind, deps: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  const schema = schemas.paged('members', schemas.listOf.member);
  return row({
    method: 'get',
    path: `${one}/members`,
    operation: `list${name}Members`,
    summary: 'Its members',
    tag,
    access: reads(kind),
    params: schemas.groupParams(id),
    query: schemas.pageQuery,
    answers: { 200: { description: 'In the order in which they joined', schema } },
    async run(call) {
      const group = await enter(call);
      const { items, total } = await deps.queries.members(group.id, pageOf(call.query));
      const uids = items.map(({ uid }) => uid);
      const active = await lastActive(deps, group.id, uids);
      const members = items.map(member => memberView(member, active.get(member.uid) ?? null));
      return { body: { data: { members, ...perPage(call.query, total) } } };
    },
  });
}

function changeRow(kind: GroupKind, { commands, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'patch',
    path: `${one}/members/{uid}`,
    operation: `change${name}Member`,
    summary: 'Change the role of a member',
    tag,
    access: writes(kind),
    params: schemas.memberParams(id),
    body: schemas.roleBody,
    errors,
    answers: { 200: { description: 'The role now', schema: schemas.memberAnswer } },
    async run(call) {
      const group = await enter(call);
      const uid = memberIn(call.params);
      const { role } = call.body;
      const context = contextOf(call, clock());
      const { position } = await commands.changeRole(kind, group.id, call.caller.uid, uid, role, context);
      await visible(position);
      return { body: { data: { uid, role } } };
    },
  });
}

function removeRow(kind: GroupKind, { commands, tried, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'delete',
    path: `${one}/members/{uid}`,
    operation: `remove${name}Member`,
    summary: 'Remove a member, or leave',
    tag,
    access: writes(kind),
    params: schemas.memberParams(id),
    query: dryQuery,
    errors,
    answers: { 200: { description: 'No longer a member', schema: goneOr({ uid: { type: 'string' } }) } },
    async run(call) {
      const group = await enter(call);
      const uid = memberIn(call.params);
      const context = contextOf(call, clock());
      const by = call.query.dry_run ? tried : commands;
      const { position } = await by.removeMember(kind, group.id, call.caller.uid, uid, context);
      if (call.query.dry_run) return wouldBe({ uid });
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  });
}

const memberIn = (params: Readonly<Record<string, string>>): string => params['uid']!;
