import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { groupsMap, namesMap, unitsMap } from './label-maps.js';
import * as schemas from './label-schemas.js';
import { reads, tag, writes, type SignalDeps } from './deps.js';
import { type Write, type Said, grouped, said } from './labelling.js';

/**
 * Units, groups and display names: spec 2.10 and 4.3. A key that a signal and an event stream share means
 * both.
 */
export const labelRows = (deps: SignalDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/signal/units',
    operation: 'listUnits',
    summary: 'Units of signals',
    tag,
    access: reads,
    answers: { 200: { description: 'A bare object', schema: schemas.unitsAnswer } },
    run: ({ workspace }) => ({ body: unitsMap(deps, workspace) }),
  }),
  row({
    method: 'post',
    path: '/v1/signal/units/assign',
    operation: 'assignUnits',
    summary: 'Set or clear the unit of signals',
    tag,
    description:
      'What a person assigns wins. Cleared, the unit that the source named holds again, or else the one that '
      + 'the key tells.',
    access: writes,
    body: schemas.assignUnitBody,
    answers: { 200: labelled },
    async run(call) {
      const {
        workspace,
        body: { keys, unit },
      } = call;
      const context = contextOf(call, deps.clock());
      const signal: Write = key => deps.commands.assignUnit(workspace, key, orNull(unit), context);
      return ok(await said(deps, workspace, keys, { signal, stream: null }));
    },
  }),
  row({
    method: 'get',
    path: '/v1/signal/groups',
    operation: 'listGroups',
    summary: 'Groups of signals and event streams',
    tag,
    access: reads,
    answers: { 200: { description: 'A bare object', schema: schemas.groupsAnswer } },
    run: ({ workspace }) => ({ body: groupsMap(deps, workspace) }),
  }),
  row({
    method: 'post',
    path: '/v1/signal/groups/assign',
    operation: 'assignGroup',
    tag,
    access: writes,
    summary: 'Put signals and event streams into a group',
    body: schemas.assignGroupBody,
    answers: { 200: labelled },
    run: async call => ok(await grouped(deps, call, call.body.keys, call.body.group)),
  }),
  row({
    method: 'post',
    path: '/v1/signal/groups/unassign',
    operation: 'unassignGroup',
    summary: 'Back to automatic grouping',
    tag,
    description: 'The automatic group is the part of the key before its first dot, or else `ungrouped`.',
    access: writes,
    body: schemas.unassignGroupBody,
    answers: { 200: labelled },
    run: async call => ok(await grouped(deps, call, call.body.keys, null)),
  }),
  row({
    method: 'get',
    path: '/v1/signal/display-names',
    operation: 'listDisplayNames',
    tag,
    access: reads,
    summary: 'Display names of signals and event streams',
    answers: { 200: { description: 'A bare map', schema: schemas.namesAnswer } },
    run: ({ workspace }) => ({ body: namesMap(deps, workspace) }),
  }),
  row({
    method: 'post',
    path: '/v1/signal/display-name',
    operation: 'setDisplayName',
    tag,
    access: writes,
    summary: 'Set or clear the display name of a key',
    description: 'The key itself stays as it is everywhere.',
    body: schemas.nameBody,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The name as it is now', schema: schemas.nameAnswer } },
    async run(call) {
      const {
        workspace,
        body: { key, name: given },
      } = call;
      const context = contextOf(call, deps.clock());
      const name = orNull(given);
      const {
        unknown_keys: [unknown],
      } = await said(deps, workspace, [key], {
        signal: each => deps.commands.name(workspace, each, name, context),
        stream: each => deps.streams.commands.nameStream(workspace, each, name, context),
      });
      if (unknown !== undefined)
        throw new Rejected('missing', 'not_found', 'There is no signal and no event stream of this key');
      return { body: { status: 'ok', data: { key, display_name: name } } };
    },
  }),
];

const labelled = { description: 'For how many keys it is so now', schema: schemas.labelledAnswer } as const;

const ok = (data: Said) => ({ body: { status: 'ok', data } });

const orNull = (text: string | null | undefined): string | null => (text?.trim() ? text : null);
