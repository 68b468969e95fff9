import type { DeploymentCommands } from '../commands/deployments.js';
import { deploymentId, deployments } from '../domain/deployments/decider.js';
import type { DeploymentDeployed } from '../domain/deployments/facts.js';
import type { Fact } from '../domain/fact.js';
import type { Reactor } from './engine/reactor.js';

/** Once a deployment is deployed that takes the place of another, that one is unpromoted in its favour. */
export const demoting = ({ unpromote }: Pick<DeploymentCommands, 'unpromote'>): Reactor => ({
  name: 'demoting',
  concurrency: 4,
  on: {
    DeploymentDeployed: async ({ data, meta }: Fact<DeploymentDeployed>, context, { load }) => {
      const workspace = meta.workspace!;
      const { promotionId } = data;
      const { current } = await load(deployments, deploymentId(workspace, promotionId));
      if (current?.promotionId !== promotionId || current.demotes === null) return;
      const left = { reason: 'demoted by a new version', replacement: promotionId };
      await unpromote(workspace, current.demotes, left, context);
    },
  },
});
