import type { Context } from '../../commands/engine/handle.js';
import type { Asked } from '../../commands/inference/keeping.js';
import { lineOf, priced } from '../../commands/inference/paying.js';
import { newInferenceId } from '../../commands/inference/records.js';
import { make } from '../../commands/inference/making.js';
import { prepareIncoming, type Prepared } from '../../commands/inference/work.js';
import { tasks } from '../../commands/inference/tasks/index.js';
import type { For } from '../../domain/billing/credits.js';
import type { InferenceTask } from '../../domain/inference/facts.js';
import { takenIn } from '../../domain/inference/given.js';
import type { InferenceRequest } from '../../domain/inference/request.js';
import type { ObjectSchema } from '../../json-schema.js';
import { asOfHeaders } from '../edge/as-of.js';
import { contextOf } from '../edge/context.js';
import { row, type Answer, type Call, type Row } from '../edge/row.js';
import { queuedAnswer } from './answer-schemas.js';
import { posts, type InferenceDeps } from './deps.js';
import { known } from './known.js';
import { tooManyQueued } from './slots.js';
import { taskTexts, type TaskText } from './task-texts.js';
import { answerView } from './views.js';

/** More series are worked on later. */
const MOST_AT_ONCE = 50;

const errors = {
  400: ['horizon_above_cap', 'task_not_supported'],
  402: ['insufficient_credits', 'price_above_max'],
  404: ['not_found'],
  409: ['deployment_not_ready', 'invalid_state', 'no_champion'],
  410: ['deployment_retired'],
  422: ['insufficient_history', 'insufficient_future_covariates', 'invalid_series', 'model_failed'],
  503: ['overloaded', 'SERVING_UNAVAILABLE', 'model_file_unavailable'],
} as const;

/** What deployed models do: spec 4.10, open-parts 12, 32.17, 32.20. */
export const taskRows = (deps: InferenceDeps): Row[] =>
  Object.entries(taskTexts).map(([task, text]) => taskRow(deps, task as InferenceTask, text));

const taskRow = (
  deps: InferenceDeps,
  task: InferenceTask,
  { summary, description, body, answer }: TaskText,
) =>
  row({
    ...posts,
    ...{ summary, description, body, errors },
    path: `/v1/inference/${task}`,
    operation: task,
    answers: {
      200: { description: 'The answer, series in the order of the request', schema: answer },
      202: { description: 'To be looked for at `poll_url`', schema: queuedAnswer },
    },
    run: call =>
      deps.slots(call.workspace, () =>
        answered(deps, task, body, call as Call<unknown, unknown, InferenceRequest>),
      ),
  });

async function answered(
  deps: InferenceDeps,
  task: InferenceTask,
  schema: ObjectSchema,
  call: Call<unknown, unknown, InferenceRequest>,
): Promise<Answer> {
  const { workspace, body, signal } = call;
  const began = performance.now();
  const context = contextOf(call, deps.clock());
  const request = { ...body, ...(body.series && { series: body.series.map(takenIn) }) };
  const prepared = await prepareIncoming(deps, tasks[task], workspace, request, context.at);
  const price = priced(deps.credits, tasks[task], prepared, body.max_credits);
  const inferenceId = newInferenceId();
  const asked = askedOf(task, schema, call, prepared, { inferenceId, credits: price.amount });
  const line = lineOf(inferenceId, price, body.goal_id);
  if (body.async || prepared.series.length > MOST_AT_ONCE) return queued(deps, asked, line, context);
  const asking = { workspace, askedBy: context.actor, began, signal };
  const { made, record, position } = await deps.credits.paid(
    workspace,
    { ...line, context },
    async () => {
      const answer = await make(deps, tasks[task], prepared, asking);
      return { made: answer, record: await deps.records.record(workspace, asked, answer, context) };
    },
    async ({ made: answer, record: keep }) => ({ made: answer, ...(await keep()) }),
  );
  await deps.visible(position);
  const headers = asOfHeaders(made.read[0]?.asOf ?? null);
  return { body: answerView(inferenceId, record, made.answer), headers };
}

/** Its credits are held until it is over. */
async function queued(
  { credits, mostQueued, queries, records, visible }: InferenceDeps,
  asked: Asked,
  line: For,
  context: Context,
): Promise<Answer> {
  const workspace = context.workspace!;
  if ((await queries.open(workspace)) >= mostQueued) throw tooManyQueued(mostQueued);
  const { inferenceId } = asked;
  await credits.hold(workspace, line, context);
  const { position } = await records.queue(workspace, asked, context);
  await visible(position);
  const poll_url = `/v1/inference/${inferenceId}`;
  return { status: 202, body: { inference_id: inferenceId, status: 'queued', poll_url } };
}

const askedOf = (
  task: InferenceTask,
  schema: ObjectSchema,
  { body, raw }: Call<unknown, unknown, InferenceRequest>,
  { deployment, goal, key, series, horizon }: Prepared,
  paid: Pick<Asked, 'inferenceId' | 'credits'>,
): Asked => ({
  ...paid,
  task,
  promotionId: deployment.promotionId,
  ...(goal && { goalId: goal.forGoal.goalId }),
  body: known(schema, body),
  bytes: raw!.length,
  ...{ key, horizon },
  series: series.length,
});
