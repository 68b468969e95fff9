import { paidFor } from '../../commands/inference/paying.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import type { UsageSum } from '../../projections/inference/queries.js';
import { contextOf } from '../edge/context.js';
import { offsetPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { inferenceId } from './answer-schemas.js';
import { creates, reads, tag, type InferenceDeps } from './deps.js';
import { historyRow, recordText } from './record-views.js';
import * as schemas from './record-schemas.js';
import { object } from '../../json-schema.js';

const params = object({ inference_id: inferenceId });
const unknown = { errors: { 404: ['not_found'] } };

/** What was asked and answered: open-parts 12. */
export const recordRows = (deps: InferenceDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/inference',
    operation: 'listInferences',
    summary: 'What was asked for, the newest first',
    description: 'Refused requests are not in it.',
    tag,
    access: reads,
    query: schemas.historyQuery,
    answers: { 200: { description: 'A page of the history', schema: schemas.historyAnswer } },
    async run({ workspace, query }) {
      const { promotion_id: promotionId = null, goal_id: goalId = null, status = null } = query;
      const filter = { promotionId, goalId, status, ...spanIn(query) };
      const { inferences, total } = await deps.queries.page(workspace, filter, query.offset, query.limit);
      const names = await deps.tokenNames(inferences.map(({ token_id }) => token_id));
      return {
        body: {
          inferences: inferences.map(doc => historyRow(doc, names.get(doc.token_id) ?? null)),
          ...offsetPage(query, total),
        },
      };
    },
  }),
  row({
    method: 'get',
    path: '/v1/inference/usage',
    operation: 'inferenceUsage',
    summary: 'How much was asked for',
    tag,
    access: reads,
    query: schemas.usageQuery,
    answers: { 200: { description: 'Sums by day, deployment, token or goal', schema: schemas.usageAnswer } },
    async run({ workspace, query }) {
      const { from, to } = spanIn(query);
      const until = to ?? deps.clock();
      const { buckets, total } = await deps.queries.usage(workspace, from ?? 0, until, query.group_by);
      const view = <T extends UsageSum>({ p95, credits, ...sums }: T) => ({
        ...sums,
        credits: creditsNumber(credits),
        p95_ms: p95,
      });
      return { body: { buckets: buckets.map(view), total: view(total) } };
    },
  }),
  row({
    ...unknown,
    method: 'get',
    path: '/v1/inference/{inference_id}',
    operation: 'getInference',
    summary: 'One inference: the whole request and answer, and how good it was',
    tag,
    access: reads,
    versioned: 'by_content',
    params,
    answers: { 200: { description: 'What its facts tell of it', schema: schemas.recordAnswer } },
    async run({ workspace, params: { inference_id: id } }) {
      const record = await deps.records.read(workspace, id);
      const token = record.requested.actor.replace(/^token:/, '');
      const names = await deps.tokenNames([token]);
      const caller = { token_id: token, name: names.get(token) ?? null };
      const actuals = await deps.actuals(workspace, record);
      return { body: recordText(id, record, { caller, actuals }) };
    },
  }),
  row({
    method: 'post',
    path: '/v1/inference/{inference_id}/cancel',
    operation: 'cancelInference',
    summary: 'End queued or running work',
    tag,
    access: creates,
    params,
    errors: { 404: ['not_found'], 409: ['invalid_state'] },
    answers: { 200: { description: 'It has no answer, and will have none', schema: schemas.cancelAnswer } },
    async run(call) {
      const id = call.params.inference_id;
      const { position } = await deps.records.cancel(call.workspace, id, contextOf(call, deps.clock()));
      deps.credits.release(call.workspace, paidFor(id), 'cancelled', contextOf(call, deps.clock()));
      await deps.visible(position);
      return { body: { status: 'cancelled', inference_id: id } };
    },
  }),
  row({
    method: 'post',
    path: '/v1/inference/{inference_id}/replay',
    operation: 'replayInference',
    summary: 'Make an answer again from the log, and compare',
    tag,
    access: creates,
    policy: 'inference',
    params,
    description: 'Also of a deployment that is retired, as long as its model is there.',
    errors: {
      404: ['not_found', 'model_not_available'],
      409: ['invalid_state'],
      422: ['model_failed'],
      503: ['overloaded', 'SERVING_UNAVAILABLE', 'model_file_unavailable'],
    },
    answers: {
      200: { description: 'Whether all is the same, to the bit', schema: schemas.replayAnswer },
    },
    run: ({ workspace, params: { inference_id: id }, signal }) =>
      deps.slots(workspace, async () => {
        const record = await deps.records.read(workspace, id);
        return { body: await deps.replay(workspace, record, signal) };
      }),
  }),
];
