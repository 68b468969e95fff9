import { hash } from 'node:crypto';
import type { DeploymentWishes, KeepingCommand } from '../domain/deployments/commands.js';
import { deployments } from '../domain/deployments/decider.js';
import type { Replicas } from '../domain/deployments/facts.js';
import { promotionIdOf } from '../domain/deployments/promotion-id.js';
import type { HostedModel, ModelRef } from '../domain/models/hosted.js';
import type { Context, Handle } from './engine/handle.js';
import { randomText } from './engine/ids.js';

export type DeploymentCommands = ReturnType<typeof deploymentCommands>;
/** What became of a deployment by a command. */
export type KeptDeployment = Awaited<ReturnType<DeploymentCommands['keep']>>;

/** Stands for a foundation model in the ids of its deployments, and in their journal. */
const subjectOf = ({ family, slug }: ModelRef): string => hash('sha256', `${family}/${slug}`).slice(0, 16);

/** `workspace`: whose deployment it is. */
export function deploymentCommands(handle: Handle) {
  return {
    /** Asks for a foundation model to be served; it is `deploying` until a forward pass has worked. */
    async request(workspace: string, model: HostedModel, wishes: DeploymentWishes, context: Context) {
      const promotionId = promotionIdOf(subjectOf(model), randomText());
      const data = { workspace, promotionId, deploymentType: 'foundation', model, ...wishes } as const;
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
