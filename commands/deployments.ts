import { hash } from 'node:crypto';
import type { DeploymentWishes, KeepingCommand } from '../domain/deployments/commands.js';
import { deployments } from '../domain/deployments/decider.js';
import type { DeploymentType, Replicas } from '../domain/deployments/facts.js';
import { promotionIdOf } from '../domain/deployments/promotion-id.js';
import type { HostedModel, ModelRef } from '../domain/models/hosted.js';
import { MADE } from '../domain/models/made.js';
import type { Context, Handle } from './engine/handle.js';
import { randomText } from './engine/ids.js';

export type DeploymentCommands = ReturnType<typeof deploymentCommands>;
/** Of the part of an id that follows from what was said. */
const ID_LENGTH = 16;
/** What became of a deployment by a command. */
export type KeptDeployment = Awaited<ReturnType<DeploymentCommands['keep']>>;

/** Stands for a foundation model in the ids of its deployments, and in their journal. */
const subjectOf = ({ family, slug }: ModelRef): string => hash('sha256', `${family}/${slug}`).slice(0, 16);

const types: Readonly<Record<string, DeploymentType>> = {
  [MADE.training]: 'trained',
  [MADE.adapter]: 'adapter',
  [MADE.byom]: 'byom',
};
export const typeOf = ({ family }: ModelRef): DeploymentType => types[family] ?? 'foundation';

/** The id of the deployment that is asked for once by a text. */
export const promotionOnce = (model: ModelRef, once: string): string =>
  promotionIdOf(subjectOf(model), hash('sha256', once).slice(0, ID_LENGTH));

/** `workspace`: whose deployment it is. */
export function deploymentCommands(handle: Handle) {
  return {
    /**
     * Asks for a model to be served; it is `deploying` until a forward pass has worked. `once`: who asks
     * again with the same text asks for the same deployment.
     */
    async request(
      workspace: string,
      model: HostedModel,
      wishes: DeploymentWishes,
      context: Context,
      once: string | null = null,
    ) {
      const promotionId =
        once === null ? promotionIdOf(subjectOf(model), randomText()) : promotionOnce(model, once);
      const deploymentType = typeOf(model);
      const data = { workspace, promotionId, deploymentType, model, ...wishes } as const;
      const { position } = await handle(deployments, { type: 'RequestDeployment', data }, context);
      return { promotionId, position };
    },
    /** What follows from time and from how a deployment does. */
    keep: (command: KeepingCommand, context: Context) =>
      handle(deployments, command, { ...context, workspace: command.data.workspace }),
    retry: (workspace: string, promotionId: string, context: Context) =>
      handle(deployments, { type: 'RetryDeployment', data: { workspace, promotionId } }, context),
    /** `scaleToZeroAfterS`: seconds without a forecast after which it sleeps; null: never. */
    scale(
      workspace: string,
      promotionId: string,
      size: { readonly replicas: Replicas; readonly scaleToZeroAfterS: number | null },
      context: Context,
    ) {
      const data = { workspace, promotionId, ...size };
      return handle(deployments, { type: 'ScaleDeployment', data }, context);
    },
    wake: (workspace: string, promotionId: string, context: Context) =>
      handle(deployments, { type: 'WakeDeployment', data: { workspace, promotionId } }, context),
    /** `replacement`: the deployment to ask instead; null: none. */
    unpromote(
      workspace: string,
      promotionId: string,
      { reason, replacement }: { readonly reason: string | null; readonly replacement: string | null },
      context: Context,
    ) {
      const data = { workspace, promotionId, reason, replacement };
      return handle(deployments, { type: 'UnpromoteDeployment', data }, context);
    },
  };
}
