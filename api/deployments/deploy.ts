import { FREE_REPLICAS } from '../../domain/billing/estimates.js';
import type { DeploymentWishes } from '../../domain/deployments/commands.js';
import type { DeploymentOrigin } from '../../domain/deployments/facts.js';
import { messageOf } from '../../domain/deployments/message.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import { mindMaxCredits } from '../../commands/billing/max-credits.js';
import { typeOf } from '../../commands/deployments.js';
import { servingUnavailable } from '../../commands/serving.js';
import type { FromSchema } from '../../json-schema.js';
import { contextOf } from '../edge/context.js';
import { dryQuery, wouldBe } from '../edge/dry-run.js';
import { row, type Call, type Row } from '../edge/row.js';
import { hourOf, tag, writeAccess, type DeploymentDeps } from './deps.js';
import * as schemas from './schemas.js';
import { FIELDS, foundationIn, madeIn, minAboveMax, mustBeInService } from './references.js';

const errors = {
  400: ['model_reference_required', 'horizon_above_cap'],
  403: ['license_forbids_commercial_use'],
  404: ['model_not_available'],
  409: ['ALREADY_DEPLOYED', 'MODEL_DEPRECATED'],
  503: ['SERVING_UNAVAILABLE', 'model_file_unavailable'],
} as const;
const answers = {
  200: { description: 'dry_run: it would be deployed', schema: schemas.wouldDeployAnswer },
  201: {
    description: 'It is deployed, and ready, or the serving pool is still warming',
    schema: schemas.deployedAnswer,
  },
};

/** Taking a model into service. */
export const deployRows = (deps: DeploymentDeps): Row[] => [
  row({
    method: 'post',
    path: '/v1/models/deploy-foundation',
    operation: 'deployFoundation',
    summary: 'Deploy a foundation model as it is',
    tag,
    access: writeAccess,
    description:
      'By `family` and `slug`, or by `blueprint_uid`. A warm model is `deployed` and `ready` at once; '
      + 'else it is `deploying`, and its status is watched under `/v1/deployments`.',
    query: dryQuery,
    body: schemas.deployFoundationBody,
    errors,
    answers,
    async run(call) {
      const { body } = call;
      const model = await foundationIn(body, deps);
      return deploy(call, model, wishesIn(body), deps);
    },
  }),
  row({
    method: 'post',
    path: '/v1/deployments',
    operation: 'deploy',
    summary: 'Deploy a model',
    tag,
    access: writeAccess,
    description:
      'One of `training_id`, `adapter_id`, `byom_id`, or the `blueprint_uid` of a foundation model. `demote` '
      + 'names the deployment that is unpromoted once this one is deployed.',
    query: dryQuery,
    body: schemas.deployBody,
    errors: {
      ...errors,
      402: ['price_above_max'],
      404: ['model_not_available', 'not_found', 'adapter_not_found'],
      409: [...errors[409], 'training_not_completed', 'not_validated', 'not_deployable'],
    },
    answers,
    async run(call) {
      const { body, workspace } = call;
      const { model, origin } = await modelIn(call, deps);
      const { demote = null, replicas = null, name = null } = body;
      if (replicas && replicas.min > replicas.max)
        throw minAboveMax(['body', 'replicas', 'min'], replicas.min);
      mindMaxCredits(hourOf(deps, replicas?.min ?? FREE_REPLICAS), body.max_credits);
      if (demote !== null) await mustBeInService(deps, workspace, 'demote', demote);
      return deploy(call, model, { ...wishesIn(body), name, replicas, demotes: demote, origin }, deps);
    },
  }),
];

type Wished = Pick<FromSchema<typeof schemas.deployBody>, 'horizon' | 'reason' | 'accept_non_commercial'>;

const wishesIn = ({ horizon, reason, accept_non_commercial }: Wished): DeploymentWishes => ({
  horizon: horizon ?? null,
  reason: reason ?? null,
  acceptNonCommercial: accept_non_commercial ?? false,
  name: null,
  replicas: null,
  demotes: null,
  origin: null,
});

async function deploy(
  call: Call<unknown, FromSchema<typeof dryQuery>, unknown>,
  model: HostedModel,
  wishes: DeploymentWishes,
  { commands, tried, serving, clock, visible }: DeploymentDeps,
) {
  const { workspace } = call;
  if (!serving.pool) throw servingUnavailable();
  const context = contextOf(call, clock());
  if (call.query.dry_run) {
    await tried.request(workspace, model, wishes, context);
    return wouldBe({ deployment_type: typeOf(model), status: 'deploying' });
  }
  const { promotionId, position } = await commands.request(workspace, model, wishes, context);
  await visible(position);
  const isReady = await serving.bringUp({ workspace, promotionId }, model, context);
  const status = isReady ? 'deployed' : 'deploying';
  const data = {
    ...{ promotion_id: promotionId, deployment_type: typeOf(model), status },
    ...{ ready: isReady, message: messageOf({ status, isReady, note: null, least: 0, workers: 0 }) },
  };
  return { status: 201, body: { data } };
}

type Chosen = { readonly model: HostedModel; readonly origin: DeploymentOrigin | null };

/** What is to be deployed. @throws Rejected as `madeIn` and `foundationIn` */
async function modelIn(
  call: Pick<Call<unknown, unknown, FromSchema<typeof schemas.deployBody>>, 'body' | 'workspace' | 'caller'>,
  deps: DeploymentDeps,
): Promise<Chosen> {
  const made = await madeIn(call, deps);
  if (!made) {
    const model = await foundationIn(call.body, deps, `one of ${FIELDS.join(', ')}`);
    return { model, origin: null };
  }
  const { blueprintUid, trainingId } = made;
  return { model: made, origin: { pipelineId: null, trainingId, blueprintUid } };
}
