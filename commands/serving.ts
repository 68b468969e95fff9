import { deploymentNotFound } from '../domain/deployments/decider.js';
import type { ServedDeployment, ServedDeployments } from '../domain/deployments/served.js';
import { SERVED, type Status } from '../domain/deployments/state.js';
import { modelNotAvailable } from '../domain/models/fine-tunes.js';
import type { HostedModel, HostedModels, MadeBy, ModelRef } from '../domain/models/hosted.js';
import { isMade } from '../domain/models/made.js';
import { Rejected } from '../domain/rejected.js';
import { notLost } from './model-files.js';
import { bringing, type Bringing } from './bringing.js';
import type { LivePath, ServingPool } from './serving-pool.js';

/** What is known of a deployment; the documents of deployments are such. */
export type KnownDeployment = {
  readonly _id: string;
  readonly workspace: string;
  readonly status: Status;
  readonly family: string;
  readonly slug: string;
  readonly horizon: number;
  readonly lookback: number;
  readonly replicas_min: number;
  readonly replicas_max: number;
  readonly replacement: string | null;
};

type Deps = Bringing & {
  readonly hosted: HostedModels;
  /** Of a workspace; null: it has none with this id. */
  readonly find: (workspace: string, promotionId: string) => Promise<KnownDeployment | null>;
  /** Whether the workspace is archived. */
  readonly rests: (workspace: string) => Promise<boolean>;
};
export type Serving = ReturnType<typeof serving>;

/** A caller that finds a deployment not ready comes back after so long. */
const RETRY_AFTER_S = 2;

export const pathOf = (deployment: KnownDeployment, model: HostedModel): LivePath => ({
  promotionId: deployment._id,
  lane: deployment.workspace,
  model,
  replicas: { min: deployment.replicas_min, max: deployment.replicas_max },
});

export const servingUnavailable = (): Rejected =>
  new Rejected(
    'unavailable',
    'SERVING_UNAVAILABLE',
    'Serving of foundation models is not provisioned in this region',
  );

/** Deployments on the live path: bringing them up, and asking them. */
export function serving(deps: Deps) {
  const { pool, hosted, find, rests } = deps;

  const { bringUp, retireIdle, mayWake, woken } = bringing(deps);

  const found = async (workspace: string, promotionId: string): Promise<KnownDeployment> => {
    const deployment = await find(workspace, promotionId);
    if (!deployment) throw deploymentNotFound();
    return deployment;
  };

  /** @throws Rejected 503 where nobody serves, 403 where the workspace is archived */
  const openPool = async (workspace: string): Promise<ServingPool> => {
    if (!pool) throw servingUnavailable();
    if (await rests(workspace)) throw archived();
    return pool;
  };

  const served: ServedDeployments = async (workspace, promotionId) => {
    const deployment = await found(workspace, promotionId);
    const { status, replacement } = deployment;
    if (status === 'retiring' || status === 'retired') throw retired(promotionId, replacement);
    const workers = await openPool(workspace);
    const model = notLost(await hosted.find(deployment));
    const isReady =
      model && (SERVED.includes(status) || (mayWake(deployment) && (await woken(deployment, model))));
    if (!isReady) throw notReady(promotionId, status);
    return servedBy(workers, deployment, model);
  };

  /**
   * Also one that sleeps, failed or is retired, as long as its model is there: what it answered once can be
   * made again. It changes nothing of the deployment.
   */
  const inAnyState: ServedDeployments = async (workspace, promotionId) => {
    const deployment = await found(workspace, promotionId);
    const workers = await openPool(workspace);
    const model = notLost(await hosted.find(deployment));
    if (!model) throw modelNotAvailable(deployment.family, deployment.slug);
    return servedBy(workers, deployment, model);
  };

  /**
   * A foundation model as it is, without a deployment: its calls take a path of its own, and as many workers
   * as there are. @throws Rejected 404, 503
   */
  const zeroShot = async (workspace: string, ref: ModelRef): Promise<ServedDeployment> => {
    const workers = await openPool(workspace);
    const model = isMade(ref) ? null : await hosted.find(ref);
    if (!model) throw modelNotAvailable(ref.family, ref.slug);
    return servedBy(
      workers,
      {
        ...{ _id: `zero_shot/${ref.family}/${ref.slug}`, workspace, ...ref },
        ...{ status: 'deployed', replacement: null, horizon: model.maxHorizon, lookback: model.maxContext },
        ...{ replicas_min: 0, replicas_max: Math.max(1, workers.workers()) },
      },
      model,
    );
  };
  return { pool, served, inAnyState, zeroShot, bringUp, retireIdle };
}

function servedBy(pool: ServingPool, deployment: KnownDeployment, model: HostedModel): ServedDeployment {
  const { _id: promotionId, horizon, lookback } = deployment;
  const { family, slug, version, name, maxHorizon } = model;
  const madeBy = seenBy(deployment.workspace, model);
  return {
    ...{ promotionId, model: { family, slug, version, name }, horizon, maxHorizon, lookback },
    ...(madeBy && { madeBy }),
    readsTimes: model.trained?.readsTimes ?? false,
    reads: model.trained?.covariates ?? [],
    forecaster: pool.forecaster(pathOf(deployment, model)),
  };
}

/** What a model learnt from is told in the workspace whose table it is. */
function seenBy(workspace: string, { madeBy }: HostedModel): MadeBy | undefined {
  if (!madeBy) return undefined;
  const { workspace: own, ...all } = madeBy;
  return own === workspace ? all : { ...all, segmentVersion: null, tableHash: null };
}

const retired = (promotionId: string, replacement: string | null): Rejected =>
  new Rejected('gone', 'deployment_retired', `The deployment ${promotionId} is retired`, { replacement });

const notReady = (promotionId: string, status: Status): Rejected =>
  new Rejected(
    'conflict',
    'deployment_not_ready',
    status === 'failed'
      ? `The deployment ${promotionId} failed; see its status, then retry or unpromote it`
      : `The deployment ${promotionId} is not ready yet; try again soon`,
    { promotion_id: promotionId, status, retry_after_s: RETRY_AFTER_S },
  );

const archived = (): Rejected =>
  new Rejected('forbidden', 'workspace_archived', 'The workspace is archived; restore it first');
