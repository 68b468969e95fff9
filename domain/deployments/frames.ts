import type { Fact } from '../fact.js';
import { inWorkspace, type Frames, type Tells } from '../realtime/frame.js';
import { deploymentChanges, type DeploymentFact } from './facts.js';
import { messageOf } from './message.js';
import type { Status } from './state.js';

/** How a fact changed its deployment, and what it said of it; null: it did not. */
export type Change = {
  readonly from: Status | null;
  readonly to: Status;
  readonly message: string | null;
};
export type FindChange = (fact: Fact<DeploymentFact>) => Promise<Change | null>;

/** In these the last forward pass worked. */
const READY: readonly Status[] = ['deployed', 'scaling'];

/** What is told of deployments. `workers`: how many the serving pool has now. */
export function deploymentFrames(find: FindChange, workers: () => number): Frames {
  const updated: Tells = {
    event: 'deployment.updated',
    channels: inWorkspace,
    async data(fact: Fact<DeploymentFact>) {
      const change = await find(fact);
      if (!change) return null;
      const { from, to: status, message: note } = change;
      const isReady = READY.includes(status);
      const least = 'replicas' in fact.data ? fact.data.replicas.min : 0;
      return {
        promotion_id: fact.data.promotionId,
        status,
        previous_status: from,
        ready: isReady,
        message: messageOf({ status, isReady, note, least, workers: workers() }),
      };
    },
  };
  return Object.fromEntries(['DeploymentRequested', ...deploymentChanges].map(type => [type, updated]));
}
