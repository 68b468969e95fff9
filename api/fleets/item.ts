import { contextOf } from '../edge/context.js';
import { wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import * as answers from './answer-schemas.js';
import { all, one, readAccess, tag, writeAccess, type FleetDeps } from './deps.js';
import { found, foundAfter, plannedFor, shown, viewOf } from './found.js';
import { membersOf } from './members.js';
import { mindChange, mindEntities, mindPrice, mindRoom } from './minding.js';
import * as schemas from './schemas.js';
import { settingsAfter, settingsOf } from './settings.js';

export const begun = (fleetId: string) => ({
  status: 202,
  body: {
    status: 'queued',
    data: { fleet_id: fleetId, status: 'queued', poll_url: `${all}/${fleetId}` },
  },
});

const dear = { 402: ['price_above_max'] };

/** Fleets themselves: made, shown, changed and deleted. */
export const itemRows = (deps: FleetDeps): Row[] => [
  createRow(deps),
  row({
    method: 'get',
    path: one,
    operation: 'getFleet',
    summary: 'One fleet',
    description:
      'With how its goals do: what forecasts lost in the 30 days up to the newest that was graded.',
    tag,
    access: readAccess,
    versioned: true,
    params: schemas.oneParams,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'What it is at, and how well it does', schema: answers.oneAnswer } },
    run: async ({ workspace, params }) => shown(deps, await found(deps, workspace, params.fleet_id)),
  }),
  row({
    method: 'patch',
    path: one,
    operation: 'changeFleet',
    summary: 'Change some settings of a fleet',
    description:
      'What is absent stays as it is, in members of the template, too; null clears. The template holds for '
      + 'goals that are made from then on. Entities that are wanted now get a goal; those that no longer are '
      + 'keep theirs.',
    tag,
    access: writeAccess,
    versioned: true,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.patchBody,
    errors: { ...dear, 404: ['not_found'], 409: ['version_conflict', 'invalid_state'] },
    answers: {
      200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
    },
    async run(call) {
      const { workspace, params, body, query, ifMatch } = call;
      const { fleet_id: fleetId } = params;
      const before = await found(deps, workspace, fleetId);
      const settings = await settingsAfter(deps, workspace, before.state.settings, body);
      if (body.entities !== undefined) await mindEntities(deps, workspace, settings);
      const context = contextOf(call, deps.clock());
      const change = (by: typeof deps.tried) =>
        by.change({ workspace, fleetId }, settings, versionIn(ifMatch), context);
      if (body.max_credits !== undefined)
        await mindChange(deps, before, settings, await change(deps.tried), body.max_credits);
      const outcome = await change(query.dry_run ? deps.tried : deps.commands);
      const answer = await shown(deps, await foundAfter(deps, workspace, fleetId, before, outcome));
      return query.dry_run ? wouldBe(answer.body.data) : answer;
    },
  }),
  row({
    method: 'delete',
    path: one,
    operation: 'deleteFleet',
    summary: 'Delete a fleet',
    description: 'Its goals are archived, those that are on their way to being active once they are.',
    tag,
    access: writeAccess,
    versioned: true,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    errors: { 404: ['not_found'], 409: ['version_conflict'] },
    answers: {
      200: { description: 'dry_run: how many goals would be archived', schema: answers.dryRunAnswer },
      202: { description: 'It has begun', schema: answers.begunAnswer },
    },
    async run(call) {
      const { workspace, params, ifMatch, query } = call;
      const { fleet_id: fleetId } = params;
      const doc = await found(deps, workspace, fleetId);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const { position } = await by.remove({ workspace, fleetId }, versionIn(ifMatch), context);
      if (query.dry_run) {
        const members = await membersOf(deps, doc);
        const goals = members.filter(({ status }) => status !== 'archived').length;
        return { body: { data: { dry_run: true, fleet_id: fleetId, goals } } };
      }
      await deps.visible(position);
      return begun(fleetId);
    },
  }),
];

const createRow = (deps: FleetDeps): Row =>
  row({
    method: 'post',
    path: all,
    operation: 'createFleet',
    summary: 'Have a goal made for each entity of a base',
    description:
      'Goals are made and activated one after the other; those that cannot be stand in `failures`. They '
      + 'count to the plan’s cap: what has no room fails, and where not one has any the fleet is refused.',
    tag,
    access: writeAccess,
    query: schemas.dryQuery,
    body: schemas.createBody,
    errors: { ...dear, 403: ['plan_limit_reached'] },
    answers: {
      200: {
        description: 'dry_run: as it would be, and which entities get a goal',
        schema: answers.dryAnswer,
      },
      202: { description: 'It has begun', schema: answers.begunAnswer },
    },
    async run(call) {
      const { workspace, body, caller, query } = call;
      const settings = await settingsOf(deps, workspace, body);
      await mindEntities(deps, workspace, settings);
      await mindRoom(deps, workspace);
      const plan = await plannedFor(deps, workspace, { settings, made: [] });
      await mindPrice(deps, workspace, plan, body.max_credits);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const { fleetId, outcome } = await by.create(workspace, settings, caller.uid, context);
      if (!query.dry_run) {
        await deps.visible(outcome.position);
        return begun(fleetId);
      }
      const doc = await foundAfter(deps, workspace, fleetId, null, outcome);
      const { view } = await viewOf(deps, doc);
      return wouldBe({ ...view, plan });
    },
  });
