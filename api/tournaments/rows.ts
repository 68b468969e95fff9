import { goalNotFound } from '../../domain/goals/refusals.js';
import { tournamentNotFound } from '../../domain/tournaments/refusals.js';
import type { TournamentDoc } from '../../projections/tournaments/documents.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { all, one, readAccess, tag, writeAccess, type TournamentDeps } from './deps.js';
import * as answers from './answer-schemas.js';
import * as schemas from './schemas.js';
import { startRow } from './starting.js';
import { tournamentView } from './views.js';

const missing = { 404: ['not_found'] };

/** Tournaments of goals: open-parts 16. */
export const tournamentRows = (deps: TournamentDeps): Row[] => [
  startRow(deps),
  ...readRows(deps),
  cancelRow(deps),
  crownRow(deps),
];

/** @throws Rejected 404 */
async function found(
  { queries, hasGoal }: TournamentDeps,
  workspace: string,
  { goal_id, tournament_id }: { readonly goal_id: string; readonly tournament_id: string },
): Promise<TournamentDoc> {
  if (!(await hasGoal(workspace, goal_id))) throw goalNotFound();
  const doc = await queries.tournament(workspace, tournament_id);
  if (doc?.goal_id !== goal_id) throw tournamentNotFound(tournament_id);
  return doc;
}

const readRows = (deps: TournamentDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listTournaments',
    summary: 'List the tournaments of a goal',
    tag,
    access: readAccess,
    params: schemas.allParams,
    query: schemas.listQuery,
    errors: missing,
    answers: { 200: { description: 'Newest first', schema: answers.listAnswer } },
    async run({ workspace, params: { goal_id }, query }) {
      if (!(await deps.hasGoal(workspace, goal_id))) throw goalNotFound();
      const { page, per_page: limit, status = null } = query;
      const paging = { offset: (page - 1) * limit, limit };
      const { items, total } = await deps.queries.page(workspace, goal_id, status, paging);
      return { body: { data: { tournaments: items.map(tournamentView), ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: one,
    operation: 'getTournament',
    summary: 'One tournament',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    versioned: 'by_content',
    errors: missing,
    answers: { 200: { description: 'As it is now', schema: answers.oneAnswer } },
    run: async ({ workspace, params }) => ({
      body: { data: tournamentView(await found(deps, workspace, params)) },
    }),
  }),
];

const cancelRow = (deps: TournamentDeps): Row =>
  row({
    method: 'post',
    path: `${one}/cancel`,
    operation: 'cancelTournament',
    summary: 'Call a tournament off',
    description: 'Contestants that have a score are charged, the others not. The champion stays.',
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'Called off', schema: answers.cancelledAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { tournament_id: tournamentId } = await found(deps, workspace, params);
      const of = { workspace, tournamentId };
      const { position } = await deps.commands.cancel(of, contextOf(call, deps.clock()));
      await deps.visible(position);
      return { body: { status: 'cancelled', data: tournamentView(await found(deps, workspace, params)) } };
    },
  });

const crownRow = (deps: TournamentDeps): Row =>
  row({
    method: 'post',
    path: `${one}/crown`,
    operation: 'crownContestant',
    summary: 'Name the champion yourself',
    description:
      'Who has a score in a tournament that is completed forecasts the goal from now on. It is refused (409) '
      + 'where the goal is archived, or has another target, step or zone by now.',
    tag,
    access: writeAccess,
    params: schemas.oneParams,
    body: schemas.crownBody,
    errors: { ...missing, 409: ['invalid_state'] },
    answers: { 200: { description: 'It is the champion', schema: answers.crownedAnswer } },
    async run(call) {
      const { workspace, params, body } = call;
      const { tournament_id: tournamentId } = await found(deps, workspace, params);
      const of = { workspace, tournamentId };
      const context = contextOf(call, deps.clock());
      await deps.mindCrown(of);
      const { position } = await deps.commands.crown(of, body.contestant_id, body.reason, context);
      await deps.goalsVisible(await deps.enthrone(of, context));
      await deps.visible(position);
      return { body: { status: 'ok', data: tournamentView(await found(deps, workspace, params)) } };
    },
  });
