import { contextOf } from '../edge/context.js';
import { wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { one, tag, writeAccess, type FleetDeps } from './deps.js';
import { found, foundAfter, plannedFor, shown } from './found.js';
import { begun } from './item.js';
import { mindPrice } from './minding.js';
import * as schemas from './schemas.js';

const TEXTS = {
  pause: ['Let a fleet rest', 'Its goals are paused, those on their way to being active once they are.'],
  resume: ['Let a fleet go on', 'All its paused goals that were active go on.'],
} as const;
type Move = keyof typeof TEXTS;

/** From one state to another. */
export const moveRows = (deps: FleetDeps): Row[] => [
  row({
    method: 'post',
    path: `${one}/sync`,
    operation: 'syncFleet',
    summary: 'Make goals for entities without one',
    description: 'New entities, and those that failed.',
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.syncBody,
    errors: { 402: ['price_above_max'], 404: ['not_found'], 409: ['invalid_state'] },
    answers: {
      200: { description: 'dry_run: which entities would get a goal', schema: answers.dryRunAnswer },
      202: { description: 'It has begun', schema: answers.begunAnswer },
    },
    async run(call) {
      const { workspace, params, query, body } = call;
      const { fleet_id: fleetId } = params;
      const { state } = await found(deps, workspace, fleetId);
      if (body.max_credits !== undefined)
        await mindPrice(deps, workspace, await plannedFor(deps, workspace, state), body.max_credits);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const { position } = await by.sync({ workspace, fleetId }, { by: 'user' }, context);
      if (query.dry_run) {
        const plan = await plannedFor(deps, workspace, state);
        return { status: 200, body: { data: { dry_run: true, fleet_id: fleetId, plan } } };
      }
      await deps.visible(position);
      return begun(fleetId);
    },
  }),
  ...(Object.keys(TEXTS) as Move[]).map(move => moveRow(deps, move)),
];

const moveRow = (deps: FleetDeps, move: Move): Row =>
  row({
    method: 'post',
    path: `${one}/${move}`,
    operation: `${move}Fleet`,
    summary: TEXTS[move][0],
    description: TEXTS[move][1],
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    errors: { 404: ['not_found'], 409: ['invalid_state'] },
    answers: {
      200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
    },
    async run(call) {
      const { workspace, params, query } = call;
      const { fleet_id: fleetId } = params;
      const before = await found(deps, workspace, fleetId);
      const context = contextOf(call, deps.clock());
      const by = query.dry_run ? deps.tried : deps.commands;
      const outcome = await by[move]({ workspace, fleetId }, context);
      const answer = await shown(deps, await foundAfter(deps, workspace, fleetId, before, outcome));
      return query.dry_run ? wouldBe(answer.body.data) : answer;
    },
  });
