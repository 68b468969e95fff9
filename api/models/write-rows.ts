import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { MOST, mindMost } from '../edge/most.js';
import { row, type Row } from '../edge/row.js';
import { blueprintParams, ratingAnswer, ratingBody } from './blueprint-schemas.js';
import { ratingView } from './blueprint-views.js';
import { createAnswer, createBody } from './create-schemas.js';
import { wantedOf } from './create.js';
import { tag, writeAccess, type ModelDeps } from './deps.js';
import { seenIn } from './seen.js';

/** Making a model, and saying how good one is. */
export const writeRows = (deps: ModelDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/models',
    operation: 'createModel',
    summary: 'Make a model: a foundation model to be fine-tuned, or an algorithm to be fitted',
    tag,
    access: writeAccess,
    body: createBody,
    errors: {
      400: ['family_unavailable', 'lookback_above_cap', 'horizon_above_cap', 'invalid_parameter'],
      403: MOST,
      404: ['model_not_available'],
      409: ['MODEL_DEPRECATED'],
    },
    answers: { 200: { description: 'Stored; the message says what it waits for', schema: createAnswer } },
    async run(call) {
      const { workspace, caller, body } = call;
      const { blueprint, message } = await wantedOf(body, deps);
      if (blueprint.visibility === 'public')
        mindMost('A workspace', 'public models', await deps.queries.publicCount(workspace), deps.mostPublic);
      const made = await deps.commands.create(
        workspace,
        caller.uid,
        blueprint,
        contextOf(call, deps.clock()),
      );
      await deps.visible(made.position);
      const charge =
        blueprint.kind === 'foundation'
          ? { credits: deps.priceOf(blueprint.foundation.intensity), ledger_id: null }
          : null;
      return { body: { data: { uid: made.uid, message, charge, adapter_id: null } } };
    },
  }),
  row({
    method: 'post',
    path: '/v1/models/{blueprint_uid}/rating',
    operation: 'rateModel',
    summary: 'Say how good a model is, in 1 to 5 stars',
    description: "A user has one opinion of a model: the newest. One's own model cannot be rated.",
    tag,
    access: writeAccess,
    params: blueprintParams,
    body: ratingBody,
    errors: { 400: ['bad_request'], 404: ['not_found'], 409: ['own_model'] },
    answers: { 200: { description: 'What all say now', schema: ratingAnswer } },
    async run(call) {
      const { workspace, caller, params, body } = call;
      const uid = params.blueprint_uid;
      const seen = await seenIn(deps, workspace, uid);
      if ('blueprint' in seen && seen.blueprint.owner === caller.uid)
        throw new Rejected('conflict', 'own_model', 'The model is your own; others say how good it is');
      const { position } = await deps.commands.rate(
        uid,
        caller.uid,
        body.rating,
        contextOf(call, deps.clock()),
      );
      await deps.visible(position);
      const now = await seenIn(deps, workspace, uid);
      const standing = 'backbone' in now ? now.backbone.standing : now.blueprint;
      return {
        body: {
          data: {
            uid,
            rating: ratingView(standing),
            rating_count: standing.rating_count,
            your_rating: body.rating,
          },
        },
      };
    },
  }),
];
