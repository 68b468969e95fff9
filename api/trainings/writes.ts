import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { priceOfTraining } from '../../commands/trainings/records.js';
import type { ModelWanted } from '../../commands/trainings/resolving.js';
import { retry } from '../../commands/trainings/retrying.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import type { Price } from '../../domain/billing/credits.js';
import { Rejected } from '../../domain/rejected.js';
import type { KnownTraining } from '../../domain/trainings/state.js';
import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { notValid } from '../edge/errors.js';
import { row, type Answer, type Row } from '../edge/row.js';
import { runAccess, tag, type TrainingDeps } from './deps.js';
import { found } from './found.js';
import * as schemas from './schemas.js';
import { trainingView } from './views.js';

const one = '/v1/training/{training_id}';
type Body = FromSchema<typeof schemas.queueBody>;

/** Trainings are queued, called off, and tried once more: open-parts 10. */
export function writeRows(deps: TrainingDeps): Row[] {
  const { commands, credits, hasSegment, resolve, visible, clock } = deps;
  const queued = async (
    trainingId: string,
    { queued: { price } }: KnownTraining,
    position: number | null,
  ): Promise<Answer> => {
    await visible(position);
    const poll_url = `/v1/training/${trainingId}`;
    const data = { training_id: trainingId, status: 'queued', poll_url, credits: creditsOf(price) };
    return { status: 202, body: { status: 'queued', data } };
  };
  return [
    row({
      method: 'post',
      path: '/v1/training',
      operation: 'queueTraining',
      summary: 'Train a model once on a segment',
      description:
        'A model of the catalogue (`model`), or a foundation model by `family` and `slug`, which is '
        + 'fine-tuned. Credits are held while it waits and is done, and charged when it is completed.',
      tag,
      access: runAccess,
      body: schemas.queueBody,
      errors: {
        400: ['model_reference_required', 'family_unavailable', 'lookback_above_cap', 'horizon_above_cap'],
        402: ['insufficient_credits', 'price_above_max'],
        404: ['not_found', 'model_not_available'],
        409: ['MODEL_DEPRECATED'],
      },
      answers: { 202: { description: 'It waits for its turn', schema: schemas.queuedAnswer } },
      async run(call) {
        const { workspace, caller, body } = call;
        const wanted = wantedIn(body);
        const { segment_id: segmentId, seed = 0, metric = 'mase', max_credits } = body;
        if (!(await hasSegment(workspace, segmentId))) throw segmentMissing(segmentId);
        const model = await resolve(workspace, wanted);
        mindMaxCredits(priceOfTraining(credits, model), max_credits);
        const training = {
          ...{ trainingId: null, segmentId, model, seed, metric, owner: caller.uid },
          ...{ pipelineId: null, cycleId: null, retryOf: null, against: null },
          trigger: 'manual',
          unpaid: 'refuse',
        } as const;
        const made = await commands.queue(workspace, training, contextOf(call, clock()));
        return queued(made.trainingId, made.training, made.position);
      },
    }),
    row({
      method: 'post',
      path: `${one}/cancel`,
      operation: 'cancelTraining',
      summary: 'Call a training off',
      description: 'The part that was done is charged; of one that waits still, nothing.',
      tag,
      access: runAccess,
      params: schemas.oneParams,
      errors: { 404: ['not_found'], 409: ['invalid_state'] },
      answers: { 200: { description: 'Called off', schema: schemas.endedAnswer } },
      async run(call) {
        const { workspace, params } = call;
        const { training_id } = params;
        const { position } = await commands.cancel(workspace, training_id, contextOf(call, clock()));
        await visible(position);
        const doc = await found(deps, workspace, training_id);
        return { body: { status: 'cancelled', data: trainingView(doc, null) } };
      },
    }),
    row({
      method: 'post',
      path: `${one}/retry`,
      operation: 'retryTraining',
      summary: 'Try a training that failed once more',
      description:
        'As a training of its own, of the model and on the segment as they are then. Of a pipeline it counts '
        + 'to the monthly cap.',
      tag,
      access: runAccess,
      params: schemas.oneParams,
      body: schemas.retryBody,
      errors: {
        400: ['family_unavailable', 'lookback_above_cap', 'horizon_above_cap'],
        402: ['insufficient_credits', 'price_above_max'],
        404: ['not_found', 'model_not_available'],
        409: ['not_retryable', 'MODEL_DEPRECATED', 'budget_exhausted'],
      },
      answers: { 202: { description: 'It waits for its turn', schema: schemas.queuedAnswer } },
      async run(call) {
        const { workspace, params, body, caller } = call;
        const { training_id } = params;
        const before = await commands.read(workspace, training_id);
        if (!isRetryable(before)) throw notRetryable(before);
        const { queued: first } = before;
        if (!(await hasSegment(workspace, first.segmentId))) throw segmentMissing(first.segmentId);
        const { segmentId, seed, metric, pipelineId, against } = first;
        const model = await resolve(workspace, wantedAgain(first));
        mindMaxCredits(priceOfTraining(credits, model), body.max_credits);
        const training = {
          ...{ segmentId, model, seed, metric, against },
          // Its cycle may be over
          ...{ owner: caller.uid, pipelineId, cycleId: null, retryOf: training_id },
          trigger: 'retry',
          unpaid: 'refuse',
        } as const;
        const made = await retry(deps, workspace, training, contextOf(call, clock()));
        await deps.retries.visible(made.position);
        return queued(made.trainingId, made.training, made.position);
      },
    }),
  ];
}

const creditsOf = ({ amount }: Price): number => creditsNumber(amount);

/** @throws Rejected 400 where no model is named, 422 where two are */
function wantedIn({ model, family, slug, intensity, lookback, horizon }: Body): ModelWanted {
  const of = { intensity: intensity ?? null, lookback: lookback ?? null, horizon: horizon ?? null };
  if (model === undefined && family === undefined)
    throw new Rejected(
      'invalid',
      'model_reference_required',
      'Either model, or family and slug, are required',
    );
  if (model !== undefined && (family !== undefined || slug !== undefined))
    throw notValid([
      { loc: ['body', 'model'], msg: 'must not stand beside family and slug', type: 'ambiguous' },
    ]);
  return model === undefined ? { family: family!, slug: slug ?? null, ...of } : { model, ...of };
}

const isRetryable = ({ status, failed }: KnownTraining): boolean =>
  status === 'failed' && failed !== null && failed.retryable;

function notRetryable({ status, failed }: KnownTraining): Rejected {
  const message = failed
    ? `As it is it would fail again: ${failed.message}`
    : `The training is ${status}; only one that failed is tried again`;
  return new Rejected('conflict', 'not_retryable', message, { status });
}

/** The same model, as it is now: it may be deprecated, or gone. */
const wantedAgain = ({ blueprint, intensity, lookback, horizon }: KnownTraining['queued']): ModelWanted => ({
  ...{ model: blueprint.uid, intensity, lookback, horizon },
});

const segmentMissing = (id: string): Rejected =>
  new Rejected('missing', 'not_found', `segment_id: there is no segment ${id}`, { field: 'segment_id', id });
