import type { EntryWanted } from '../../commands/tournaments/field.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import { FOLDS } from '../../domain/tournaments/folds.js';
import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { row, type Row } from '../edge/row.js';
import { all, tag, writeAccess, type TournamentDeps } from './deps.js';
import * as answers from './answer-schemas.js';
import * as schemas from './schemas.js';

export const startRow = (deps: TournamentDeps): Row =>
  row({
    method: 'post',
    path: all,
    operation: 'startTournament',
    summary: 'Let models compete for a goal',
    description:
      'Seasonal naive, the present champion and a foundation model always take part, beside all that stand '
      + 'or the `models` named. All forecast the same past moments from what is known now. It runs beside '
      + 'serving.',
    tag,
    access: writeAccess,
    params: schemas.allParams,
    body: schemas.startBody,
    errors: {
      402: ['insufficient_credits', 'price_above_max'],
      404: ['not_found', 'model_not_available'],
      409: ['tournament_running', 'invalid_state'],
    },
    answers: { 202: { description: 'It waits for its turn', schema: answers.startedAnswer } },
    async run(call) {
      const { workspace, caller, params, body } = call;
      const { goal_id: goalId } = params;
      const { folds = FOLDS.usual, metric = null, budget_credits, include_ensembles, max_credits } = body;
      const wanted = {
        ...{ entries: body.models ? body.models.map(entryIn) : null, folds, metric },
        ...{ budget: budget_credits ?? null, blends: include_ensembles ?? true },
        ...(max_credits !== undefined && { maxCredits: max_credits }),
      };
      const asked = { workspace, goalId, trigger: 'manual', wanted, owner: caller.uid } as const;
      const { tournamentId, position, credits } = await deps.start(asked, contextOf(call, deps.clock()));
      await deps.visible(position);
      const data = {
        ...{ tournament_id: tournamentId, status: 'queued' },
        poll_url: `/v1/goals/${goalId}/tournaments/${tournamentId}`,
        credits: creditsNumber(credits),
      };
      return { status: 202, body: { status: 'queued', data } };
    },
  });

type Entry = NonNullable<FromSchema<typeof schemas.startBody>['models']>[number];

/** @throws Rejected 422 where no model is named, or two are */
function entryIn({ model, family, slug }: Entry, index: number): EntryWanted {
  if (model !== undefined && family === undefined && slug === undefined) return { model };
  if (model === undefined && family !== undefined) return { family, slug: slug ?? null };
  const msg = 'either model, or family and slug';
  throw notValid([{ loc: ['body', 'models', index], msg, type: 'ambiguous' }]);
}
