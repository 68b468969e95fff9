import type { turns } from '../../commands/engine/turns.js';
import { Rejected } from '../../domain/rejected.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import { asOfIn } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import { versionIn } from '../edge/versions.js';
import * as answers from './answer-schemas.js';
import { one, readAccess, tag, writeAccess, type GoalDeps } from './deps.js';
import { found, foundAfter, foundThen, shown, shownThen } from './found.js';
import * as schemas from './schemas.js';
import { givenOf, patched, settingsIn } from './settings.js';

/** Creations and restorations of a workspace one after the other, so that each sees those before it. */
export type InTurn = ReturnType<typeof turns<GoalDoc>>;

const changed = {
  200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
};

/** Goals themselves: made, shown, changed and deleted. */
export const itemRows = (deps: GoalDeps, inTurn: InTurn): Row[] => [
  row({
    method: 'post',
    path: '/v1/goals',
    operation: 'createGoal',
    summary: 'Say what is to be forecast, how far and how often',
    description: 'It is a draft: forecasts begin once it is activated.',
    tag,
    access: writeAccess,
    query: schemas.dryQuery,
    body: schemas.settingsBody,
    errors: { 403: ['plan_limit_reached'] },
    answers: {
      200: { description: 'dry_run: as it would be', schema: answers.oneAnswer },
      201: { description: 'Made', schema: answers.oneAnswer },
    },
    async run(call) {
      const { workspace, body, caller, query } = call;
      const settings = await settingsIn(deps, workspace, body, null);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const doc = await inTurn(workspace, async () => {
        await mindLimit(deps, workspace);
        const said = { settings, owner: caller.uid, fleetId: null };
        const { goalId, outcome } = await by.create(workspace, said, context);
        return foundAfter(deps, workspace, goalId, null, outcome);
      });
      const answer = await shown(deps, doc);
      return query.dry_run ? wouldBe(answer.body.data) : { status: 201, ...answer };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getGoal',
    summary: 'One goal',
    tag,
    access: readAccess,
    versioned: true,
    params: schemas.oneParams,
    query: schemas.asOfQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'What it is at, and how well it does', schema: answers.readAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      if (asOf === null) return shown(deps, await found(deps, workspace, goalId));
      return shownThen(deps, await foundThen(deps, workspace, goalId, asOf), asOf);
    },
  }),
  row({
    method: 'patch',
    path: one,
    operation: 'changeGoal',
    summary: 'Change some settings of a goal',
    description:
      'What is absent stays as it is, in members of members too; null clears. Target, step, zone and horizon '
      + 'change while it is a draft or paused.',
    tag,
    access: writeAccess,
    versioned: true,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.patchBody,
    errors: { 404: ['not_found'], 409: ['version_conflict', 'goal_active', 'invalid_state'] },
    answers: changed,
    async run(call) {
      const { workspace, params, body, query, ifMatch } = call;
      const { goal_id: goalId } = params;
      const before = await found(deps, workspace, goalId);
      const { settings: was } = before.state;
      const settings = await settingsIn(deps, workspace, patched(givenOf(was), body), was);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const outcome = await by.change({ workspace, goalId }, settings, versionIn(ifMatch), context);
      const answer = await shown(deps, await foundAfter(deps, workspace, goalId, before, outcome));
      return query.dry_run ? wouldBe(answer.body.data) : answer;
    },
  }),
  row({
    method: 'delete',
    path: one,
    operation: 'deleteGoal',
    summary: 'Delete a goal, with what it has said',
    description: 'One that is in use is paused first.',
    tag,
    access: writeAccess,
    versioned: true,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    errors: { 404: ['not_found'], 409: ['version_conflict', 'goal_active'] },
    answers: { 200: { description: 'It is no longer there', schema: answers.deletedAnswer } },
    async run(call) {
      const { workspace, params, ifMatch, query } = call;
      const { goal_id: goalId } = params;
      await found(deps, workspace, goalId);
      const by = query.dry_run ? deps.tried : deps.commands;
      const context = contextOf(call, deps.clock());
      const { position } = await by.remove({ workspace, goalId }, versionIn(ifMatch), context);
      await deps.visible(position);
      return { body: query.dry_run ? { data: { dry_run: true, goal_id: goalId } } : { status: 'deleted' } };
    },
  }),
];

/** @throws Rejected 403 where the plan allows no more */
export async function mindLimit({ quota }: Pick<GoalDeps, 'quota'>, workspace: string): Promise<void> {
  const { limit, used, plan } = await quota(workspace);
  if (limit === null || used < limit) return;
  throw new Rejected('forbidden', 'plan_limit_reached', `The plan ${plan} allows ${limit} goals`, {
    ...{ limit, used, plan },
  });
}
