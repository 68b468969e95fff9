import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { tooShort, LEAST_POINTS } from '../../domain/goals/refusals.js';
import { contextOf } from '../edge/context.js';
import { wouldBe } from '../edge/dry-run.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { one, tag, writeAccess, type GoalDeps } from './deps.js';
import { found, foundAfter, shown } from './found.js';
import { mindLimit, type InTurn } from './item.js';
import * as schemas from './schemas.js';

const TEXTS = {
  pause: ['Let a goal rest', 'No forecasts, no alerts, no shock, until it is resumed.'],
  resume: [
    'Let a goal go on',
    'What was missed meanwhile is not made up for. Without a champion, as after another step, models compete '
      + 'for it at once, unless `auto_tournament` is `off`.',
  ],
  archive: ['Put a goal away', 'It can be read, and does not count to the plan’s cap.'],
  restore: ['Take a goal back from the archive', 'It is paused then.'],
} as const;
type Move = keyof typeof TEXTS;

/** From one state to another. */
export const moveRows = (deps: GoalDeps, inTurn: InTurn): Row[] => [
  activateRow(deps),
  ...(Object.keys(TEXTS) as Move[]).map(move => moveRow(deps, move, inTurn)),
];

const activateRow = (deps: GoalDeps): Row =>
  row({
    method: 'post',
    path: `${one}/activate`,
    operation: 'activateGoal',
    summary: 'Have a goal find what drives it and who forecasts it best',
    description: `Its target needs at least ${LEAST_POINTS} points. Forecasts begin when it is active.`,
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    body: schemas.activateBody,
    errors: {
      402: ['price_above_max'],
      404: ['not_found'],
      409: ['invalid_state'],
      422: ['insufficient_history'],
    },
    answers: {
      200: { description: 'dry_run: it would begin', schema: answers.wouldActivateAnswer },
      202: { description: 'It has begun', schema: answers.activatedAnswer },
    },
    async run(call) {
      const { workspace, params, body, query } = call;
      const { goal_id: goalId } = params;
      const { state } = await found(deps, workspace, goalId);
      const { target } = state.settings;
      const points = (await deps.target(workspace, target))?.points ?? 0;
      if (points < LEAST_POINTS) throw tooShort(target, points);
      if (body.max_credits !== undefined)
        mindMaxCredits(await deps.activationPrice(workspace), body.max_credits);
      const context = contextOf(call, deps.clock());
      const said = { skipsDiscovery: body.skip_discovery ?? false };
      const by = query.dry_run ? deps.tried : deps.commands;
      const { position } = await by.activate({ workspace, goalId }, said, context);
      if (query.dry_run) return wouldBe({ goal_id: goalId, status: 'queued' });
      await deps.visible(position);
      const data = { goal_id: goalId, status: 'queued', poll_url: `/v1/goals/${goalId}` };
      return { status: 202, body: { status: 'queued', data } };
    },
  });

const moveRow = (deps: GoalDeps, move: Move, inTurn: InTurn): Row =>
  row({
    method: 'post',
    path: `${one}/${move}`,
    operation: `${move}Goal`,
    summary: TEXTS[move][0],
    description: TEXTS[move][1],
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    query: schemas.dryQuery,
    errors: {
      ...(move === 'restore' && { 403: ['plan_limit_reached'] }),
      404: ['not_found'],
      409: ['invalid_state'],
    },
    answers: {
      200: { description: 'As it is now; with dry_run as it would be', schema: answers.oneAnswer },
    },
    async run(call) {
      const { workspace, params, query } = call;
      const { goal_id: goalId } = params;
      const before = await found(deps, workspace, goalId);
      const context = contextOf(call, deps.clock());
      const doc = await inTurn(workspace, async () => {
        if (move === 'restore' && before.status === 'archived') await mindLimit(deps, workspace);
        const by = query.dry_run ? deps.tried : deps.commands;
        const outcome = await by[move]({ workspace, goalId }, context);
        return foundAfter(deps, workspace, goalId, before, outcome);
      });
      const answer = await shown(deps, doc);
      return query.dry_run ? wouldBe(answer.body.data) : answer;
    },
  });
