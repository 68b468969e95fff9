import { goalNotFound } from '../../domain/goals/refusals.js';
import { revisionNotFound } from '../../domain/revisions/refusals.js';
import type { RevisionQueries } from '../../projections/revisions/queries.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import * as schemas from './schemas.js';
import { revisionView } from './views.js';

export type RevisionDeps = {
  readonly queries: Pick<RevisionQueries, 'ofGoal' | 'revision'>;
  readonly hasGoal: (workspace: string, goalId: string) => Promise<boolean>;
};

const tag = 'Goals';
const access = { kind: 'workspace', scope: 'goals.read' } as const;
const errors = { 404: ['not_found'] };

/** Revisions of history: open-parts 14.5. */
export const revisionRows = ({ queries, hasGoal }: RevisionDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/goals/{goal_id}/revisions',
    operation: 'listGoalRevisions',
    summary: "List the revisions of a goal's history",
    description: 'Each with what it changed of this goal, before and after.',
    tag,
    access,
    params: schemas.goalParams,
    query: schemas.listQuery,
    errors,
    answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      if (!(await hasGoal(workspace, goalId))) throw goalNotFound();
      const { page, per_page: limit } = query;
      const { items, total } = await queries.ofGoal(workspace, goalId, { offset: (page - 1) * limit, limit });
      const revisions = items.map(doc => revisionView(doc, goalId));
      return { body: { data: { revisions, ...perPage(query, total) } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/revisions/{revision_id}',
    operation: 'getRevision',
    summary: 'One revision of history',
    description: 'What caused it, and what it changed of each goal, before and after.',
    tag,
    access,
    params: schemas.oneParams,
    versioned: 'by_content',
    errors,
    answers: { 200: { description: 'As it is now', schema: schemas.oneAnswer } },
    async run({ workspace, params: { revision_id: revisionId } }) {
      const doc = await queries.revision(workspace, revisionId);
      if (!doc) throw revisionNotFound(revisionId);
      return { body: { data: revisionView(doc, null) } };
    },
  }),
];
