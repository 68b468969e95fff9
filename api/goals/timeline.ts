import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as answers from './answer-schemas.js';
import { one, readAccess, tag, type GoalDeps } from './deps.js';
import { found } from './found.js';
import { oneParams, pageQuery } from './schemas.js';
import { happeningView } from './views.js';

export const timelineRow = (deps: Pick<GoalDeps, 'queries'>): Row =>
  row({
    method: 'get',
    path: `${one}/timeline`,
    operation: 'getGoalTimeline',
    summary: 'Everything that happened to a goal',
    tag,
    access: readAccess,
    params: oneParams,
    query: pageQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'Newest first', schema: answers.timelineAnswer } },
    async run({ workspace, params, query }) {
      const doc = await found(deps, workspace, params.goal_id);
      const { page, per_page: limit } = query;
      const { items, total } = await deps.queries.timeline(doc, { limit, offset: (page - 1) * limit });
      return { body: { data: { timeline: items.map(happeningView), ...perPage(query, total) } } };
    },
  });
