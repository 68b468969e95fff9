import { listAnswer as goalsAnswer } from '../goals/answer-schemas.js';
import { shownOf } from '../goals/found.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { all, one, readAccess, tag, type FleetDeps } from './deps.js';
import { found, viewOf } from './found.js';
import { membersOf, ranked } from './members.js';
import * as schemas from './schemas.js';
import { memberView } from './views.js';

const pagingOf = ({ page, per_page: limit }: { readonly page: number; readonly per_page: number }) => ({
  ...{ limit, offset: (page - 1) * limit },
});

/** Fleets of a workspace, and the goals of one. */
export const listRows = (deps: FleetDeps): Row[] => [
  row({
    method: 'get',
    path: all,
    operation: 'listFleets',
    summary: 'List fleets',
    tag,
    access: readAccess,
    query: schemas.listQuery,
    answers: { 200: { description: 'Newest first', schema: answers.listAnswer } },
    async run({ workspace, query }) {
      const { items, total } = await deps.queries.fleets(workspace, query.status, pagingOf(query));
      const fleets = [];
      for (const doc of items) fleets.push((await viewOf(deps, doc)).view);
      return { body: { data: { fleets, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: `${one}/goals`,
    operation: 'listFleetGoals',
    summary: 'Goals of a fleet',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    query: schemas.pageQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'In order of their names', schema: goalsAnswer } },
    async run({ workspace, params: { fleet_id: fleetId }, query }) {
      await found(deps, workspace, fleetId);
      const order = { by: 'name', descending: false } as const;
      const { items, total } = await deps.goals.goals(workspace, { fleetId }, order, pagingOf(query));
      const goals = (await shownOf(deps, workspace, items)).map(({ view }) => view);
      return { body: { data: { goals, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: `${one}/leaderboard`,
    operation: 'getFleetLeaderboard',
    summary: 'Goals of a fleet, the best first',
    description: 'By `skill_vs_naive` of the 30 days up to the newest step that was graded.',
    tag,
    access: readAccess,
    params: schemas.oneParams,
    query: schemas.pageQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'A page of them', schema: answers.leaderboardAnswer } },
    async run({ workspace, params, query }) {
      const doc = await found(deps, workspace, params.fleet_id);
      const best = ranked(await membersOf(deps, doc));
      const { limit, offset } = pagingOf(query);
      const page = best.slice(offset, offset + limit);
      const goals = page.map((member, i) => memberView(member, offset + i + 1));
      const { metric } = doc.state.settings.template;
      return { body: { data: { metric, goals, ...perPage(query, best.length) } } };
    },
  }),
];
