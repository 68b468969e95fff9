import type { GroupKind } from '../../domain/groups/facts.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, goneOr, wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { checkTimeZone } from '../edge/time-zone.js';
import { versionIn } from '../edge/versions.js';
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
    versioned: true,
    params: schemas.groupParams(id),
    answers: { 200: { description: 'Also when it is archived', schema: schemas.answerOf(item) } },
    async run(call) {
      return shown(await enter(call, true));
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
    versioned: true,
    params: schemas.groupParams(id),
    body: patch,
    errors: { 403: ['role_forbidden', 'workspace_archived'], 409: ['version_conflict', ...ownFactor(kind)] },
    answers: { 200: { description: 'As it is now', schema: schemas.answerOf(item) } },
    async run(call) {
      const group = await enter(call);
      checkTimeZone(call.body as { readonly timezone?: string });
      const { uid } = call.caller;
      const changes = settingsOf(call.body);
      const context = contextOf(call, clock());
      const seen = versionIn(call.ifMatch);
      const decided = await commands.change(kind, group.id, uid, changes, context, seen);
      await visible(decided.position);
      return shown(group, decided);
    },
  });
}

function archiveRow(kind: GroupKind, { commands, tried, clock, visible }: GroupDeps, enter: Enter): Row {
  const { one, id, tag, name } = schemas.kinds[kind];
  return row({
    method: 'delete',
    path: one,
    operation: `archive${name}`,
    summary: 'Archive it; 30 days to undo',
    tag,
    access: writes(kind),
    leastRole: 'owner',
    versioned: true,
    params: schemas.groupParams(id),
    query: dryQuery,
    body: schemas.archiveBody,
    errors: { 403: ['role_forbidden', 'workspace_archived'], 409: ['version_conflict'] },
    answers: { 200: { description: 'Archived', schema: goneOr({ [id]: { type: 'string' } }) } },
    async run(call) {
      const group = await enter(call);
      const { uid } = call.caller;
      const { confirm } = call.body;
      const seen = versionIn(call.ifMatch);
      const by = call.query.dry_run ? tried : commands;
      const context = contextOf(call, clock());
      const { position } = await by.archive(kind, group.id, uid, confirm, context, seen);
      if (call.query.dry_run) return wouldBe({ [id]: group.id });
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
      const decided = await commands.restore(kind, group.id, call.caller.uid, context);
      await visible(decided.position);
      return shown(group, decided);
    },
  });
}
