import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { checkTimeZone } from '../edge/time-zone.js';
import { ownFactor, reads, writes, type GroupDeps } from './deps.js';
import type { Enter } from './enter.js';
import * as schemas from './schemas.js';
import type { Show } from './show.js';
import { settingsOf } from './settings.js';

/** One group: shown, changed, archived and restored. */
export const itemRows = (kind: GroupKind, deps: GroupDeps, enter: Enter, show: Show): Row[] => [
  getRow(kind, enter, show),
  changeRow(kind, deps, enter, show),
  archiveRow(kind, deps, enter),
  restoreRow(kind, deps, enter, show),
];

function getRow(kind: GroupKind, enter: Enter, { shown }: Show): Row {
  const { one, id, tag, item, name } = schemas.kinds[kind];
  return row({
    method: 'get',
    path: one,
    operation: `get${name}`,
    summary: `One ${kind}`,
    tag,
    access: reads(kind),
    params: schemas.groupParams(id),
    answers: { 200: { description: 'Also when it is archived', schema: schemas.answerOf(item) } },
    async run(call) {
      const group = await enter(call, true);
      return { body: await shown(group) };
    },
  });
}

function changeRow(
  kind: GroupKind,
  { commands, clock, visible }: GroupDeps,
  enter: Enter,
  { shown }: Show,
): Row {
  const { one, id, tag, item, patch, name } = schemas.kinds[kind];
  return row({
    method: 'patch',
    path: one,
    operation: `change${name}`,
    summary: 'Change its settings',
    tag,
    access: writes(kind),
    params: schemas.groupParams(id),
    body: patch,
    errors: { 403: ['role_forbidden', 'workspace_archived'], 409: ownFactor(kind) },
    answers: { 200: { description: 'As it is now', schema: schemas.answerOf(item) } },
    async run(call) {
      const group = await enter(call);
      checkTimeZone(call.body as { readonly timezone?: string });
      const { uid } = call.caller;
      const changes = settingsOf(call.body);
      const context = contextOf(call, clock());
      const { facts, position } = await commands.change(kind, group.id, uid, changes, context);
      await visible(position);
      return { body: await shown(group, facts) };
    },
  });
}

function archiveRow(kind: GroupKind, { commands, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'delete',
    path: one,
    operation: `archive${name}`,
    summary: 'Archive it; 30 days to undo',
    tag,
    access: writes(kind),
    leastRole: 'owner',
    params: schemas.groupParams(id),
    body: schemas.archiveBody,
    errors: { 403: ['role_forbidden', 'workspace_archived'] },
    answers: { 200: { description: 'Archived', schema: schemas.deleted } },
    async run(call) {
      const group = await enter(call);
      const { uid } = call.caller;
      const { confirm } = call.body;
      const { position } = await commands.archive(kind, group.id, uid, confirm, contextOf(call, clock()));
      await visible(position);
      return { body: { status: 'deleted' } };
    },
  });
}

function restoreRow(
  kind: GroupKind,
  { commands, clock, visible }: GroupDeps,
  enter: Enter,
  { shown }: Show,
): Row {
  const { one, id, tag, item, name } = schemas.kinds[kind];
  return row({
    method: 'post',
    path: `${one}/restore`,
    operation: `restore${name}`,
    summary: 'Undo the archiving',
    tag,
    access: writes(kind),
    leastRole: 'owner',
    params: schemas.groupParams(id),
    errors: { 403: ['role_forbidden'], 410: ['restore_expired'] },
    answers: { 200: { description: 'As it is now', schema: schemas.answerOf(item) } },
    async run(call) {
      const group = await enter(call, true);
      const context = contextOf(call, clock());
      const { facts, position } = await commands.restore(kind, group.id, call.caller.uid, context);
      await visible(position);
      return { body: await shown(group, facts) };
    },
  });
}
