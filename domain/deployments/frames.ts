import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import type { DeploymentFact } from './facts.js';
import type { Status } from './state.js';

/** How a fact changed its deployment; null: it did not. */
export type Change = {
  readonly from: Status | null;
  readonly to: Status;
  readonly message: string | null;
};
export type FindChange = (fact: Fact<DeploymentFact>) => Promise<Change | null>;

/** In these the last forward pass worked. */
const READY: readonly Status[] = ['deployed', 'scaling'];

/** What is told of deployments. */
export function deploymentFrames(find: FindChange): Frames {
  const updated: Tells = {
    event: 'deployment.updated',
    channels: inWorkspace,
    async data(fact: Fact<DeploymentFact>) {
      const change = await find(fact);
      if (!change) return null;
      const { from, to, message } = change;
      return {
        promotion_id: fact.data.promotionId,
        status: to,
        previous_status: from,
        ready: READY.includes(to),
        message,
      };
    },
  };
  return Object.fromEntries(types.map(type => [type, updated]));
}

const types = [
  'DeploymentRequested',
  'DeploymentDeployed',
  'DeploymentFailed',
  'DeploymentRetried',
  'DeploymentScaled',
  'DeploymentScalingFinished',
  'DeploymentScalingRolledBack',
  'DeploymentScaledBack',
  'DeploymentDegraded',
  'DeploymentRecovered',
  'DeploymentSlept',
  'DeploymentWoken',
  'DeploymentUnpromoted',
  'DeploymentRetired',
] as const satisfies readonly DeploymentFact['type'][];
