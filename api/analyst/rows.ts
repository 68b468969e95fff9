import { answerTo } from '../../domain/analyst/answering.js';
import { briefOf } from '../../domain/analyst/brief.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import { iso } from '../../domain/time.js';
import type { AnswerDoc } from '../../projections/analyst/documents.js';
import { asOfIn } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { analyst, readAccess, tag, type AnalystDeps } from './deps.js';
import * as schemas from './schemas.js';
import { situationOf } from './situations.js';

const errors = { 404: ['not_found'] };

/** A reporter that answers from what is stored: open-parts 18. */
export const analystRows = (deps: AnalystDeps): Row[] => [
  row({
    method: 'get',
    path: `${analyst}/brief`,
    operation: 'getAnalystBrief',
    summary: 'What there is to say of a goal',
    description: 'What changed, why, what next, how sure, what to do. Each text names the facts it rests on.',
    tag,
    access: readAccess,
    params: schemas.goalParams,
    query: schemas.briefQuery,
    errors,
    answers: { 200: { description: 'In five sections', schema: schemas.briefAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      const now = deps.clock();
      const asOf = asOfIn(query.as_of, now);
      const brief = briefOf(await situationOf(deps, workspace, goalId, asOf));
      const at = { as_of: iso(asOf ?? now), generated_at: iso(now) };
      return { body: { data: { goal_id: goalId, ...brief, ...at } } };
    },
  }),
  row({
    method: 'post',
    path: `${analyst}/ask`,
    operation: 'askAnalyst',
    summary: 'Ask something about a goal',
    description: 'In English. What is not understood is `unknown`, and says what can be answered.',
    tag,
    access: readAccess,
    leastRole: 'analyst',
    params: schemas.goalParams,
    body: schemas.askBody,
    errors,
    answers: { 200: { description: 'Answered from stored facts', schema: schemas.askAnswer } },
    async run(call) {
      const { workspace, params, body, caller } = call;
      const { goal_id: goalId } = params;
      const context = contextOf(call, deps.clock());
      const asOf = asOfIn(body.as_of, context.at, ['body', 'as_of']);
      const situation = await situationOf(deps, workspace, goalId, asOf, true);
      const answer = {
        ...{ answerId: deps.newAnswerId(), goalId, question: body.question, asOf, askedBy: caller.uid },
        ...answerTo(situation, body.question),
      };
      const { position } = await deps.commands.keep(workspace, answer, context);
      await deps.visible(position);
      return { body: { data: answerView({ answer, at: context.at }) } };
    },
  }),
  row({
    method: 'get',
    path: `${analyst}/answers`,
    operation: 'listAnalystAnswers',
    summary: 'Answers that were given about a goal',
    tag,
    access: readAccess,
    params: schemas.goalParams,
    query: schemas.listQuery,
    errors,
    answers: { 200: { description: 'Newest first', schema: schemas.listAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      if (!(await deps.goal(workspace, goalId))) throw goalNotFound();
      const paging = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
      const { items, total } = await deps.queries.page(workspace, goalId, paging);
      return { body: { data: { answers: items.map(answerView), ...perPage(query, total) } } };
    },
  }),
];

const answerView = ({ answer, at }: Pick<AnswerDoc, 'answer' | 'at'>) => ({
  ...{ answer_id: answer.answerId, goal_id: answer.goalId, question: answer.question },
  ...{ intent: answer.intent, answer: answer.answer, facts: answer.facts },
  ...{ suggested_calls: answer.suggestedCalls, confidence: answer.confidence },
  ...{ as_of: iso(answer.asOf ?? at), asked_by: answer.askedBy, created_at: iso(at) },
});
