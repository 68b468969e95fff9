import type { HostedModel } from '../models/hosted.js';
import { Rejected } from '../rejected.js';
import type { RequestDeployment } from './commands.js';
import type { DeploymentFact, Replicas } from './facts.js';
import type { DeploymentState } from './state.js';

const HORIZON = 128;
const LOOKBACK = 2_048;
/** Workers that a deployment may use at once, at most. */
export const MAX_REPLICAS = 64;
/** One worker is kept ready, and all there are may be used. */
const REPLICAS: Replicas = { min: 1, max: MAX_REPLICAS };

/**
 * @throws Rejected 403 where the licence is not accepted, 400 for a horizon above the cap, 409 where the
 *   model is deployed already, or deprecated
 */
export function request(
  { data }: RequestDeployment,
  { current }: DeploymentState,
): readonly DeploymentFact[] {
  const { promotionId, model } = data;
  if (current?.promotionId === promotionId) return [];
  mindLicence(model, data.acceptNonCommercial);
  const horizon = horizonOf(data);
  const isAlive = current && current.status !== 'retired' && current.status !== 'retiring';
  if (isAlive) throw alreadyDeployed(model, current);
  if (model.deprecatedAt !== null) throw deprecated(model);
  const { family, slug, version } = model;
  const { deploymentType, name, reason, replicas, acceptNonCommercial, demotes, origin } = data;
  const requested: DeploymentFact = {
    type: 'DeploymentRequested',
    data: {
      ...{ promotionId, deploymentType, model: { family, slug, version }, name, horizon },
      lookback: Math.min(LOOKBACK, model.maxContext),
      reason,
      replicas: replicas ?? REPLICAS,
      scaleToZeroAfterS: null,
      acceptedNonCommercial: acceptNonCommercial && !model.commercialUse,
      demotes,
      ...(origin && { origin }),
    },
  };
  // What is still under way of the one before comes to its end by itself
  return current?.status === 'retiring'
    ? [{ type: 'DeploymentRetired', data: { promotionId: current.promotionId } }, requested]
    : [requested];
}

const named = ({ family, slug }: HostedModel): string => `${family}/${slug}`;

/** @throws Rejected 403 where the licence of a model forbids commercial use and that is not accepted */
export function mindLicence(model: HostedModel, acceptNonCommercial: boolean): void {
  if (model.commercialUse || acceptNonCommercial) return;
  throw new Rejected(
    'forbidden',
    'license_forbids_commercial_use',
    `The licence of ${named(model)} (${model.licence}) forbids commercial use; `
      + 'send accept_non_commercial: true to deploy it all the same',
    { family: model.family, slug: model.slug, license: model.licence },
  );
}

/** What the caller wrote must fit; the default is lowered to the cap. */
function horizonOf({ model, horizon }: RequestDeployment['data']): number {
  const { family, slug, maxHorizon } = model;
  if (horizon === null) return Math.min(HORIZON, maxHorizon);
  if (horizon <= maxHorizon) return horizon;
  throw new Rejected(
    'invalid',
    'horizon_above_cap',
    `horizon is ${horizon}, and ${named(model)} of the family ${family} `
      + `forecasts at most ${maxHorizon} steps`,
    { field: 'horizon', family, slug, max_horizon: maxHorizon, cap: maxHorizon },
  );
}

const alreadyDeployed = (
  model: HostedModel,
  { promotionId, status }: NonNullable<DeploymentState['current']>,
): Rejected =>
  new Rejected(
    'conflict',
    'ALREADY_DEPLOYED',
    status === 'failed'
      ? `${named(model)} has a deployment in this workspace that failed; retry or unpromote it`
      : `${named(model)} is deployed in this workspace already`,
    { promotion_id: promotionId, status },
  );

const deprecated = (model: HostedModel): Rejected =>
  new Rejected(
    'conflict',
    'MODEL_DEPRECATED',
    model.replacement
      ? `${named(model)} is deprecated; deploy ${model.replacement.family}/${model.replacement.slug} instead`
      : `${named(model)} is deprecated and takes no new deployments`,
    { replacement: model.replacement },
  );
