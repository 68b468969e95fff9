import type { Fact } from '../fact.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { DiscoveryFact } from './facts.js';
import { progressOf, type KnownDiscovery } from './state.js';

/** The discovery of a fact, that fact included; null: it is not known. */
export type DiscoveryAfter = (
  fact: Fact<DiscoveryFact>,
) => Promise<{ readonly goal_id: string; readonly state: KnownDiscovery } | null>;

const told = [
  ...(['DiscoveryStarted', 'DiscoveryBegan', 'DiscoveryGathered', 'DiscoveryTested'] as const),
  ...(['DiscoveryCompleted', 'DiscoveryFailed', 'DiscoveryCancelled'] as const),
] as const satisfies readonly DiscoveryFact['type'][];

/** What is told of discoveries, to those who listen to the goal. */
export function discoveryFrames(after: DiscoveryAfter): Frames {
  const updated: Tells = {
    event: 'discovery.updated',
    async channels(fact: Fact<DiscoveryFact>) {
      const found = 'goalId' in fact.data ? fact.data.goalId : (await after(fact))?.goal_id;
      return found === undefined ? [] : [`goal:${found}`];
    },
    async data(fact: Fact<DiscoveryFact>) {
      const found = await after(fact);
      if (!found) return null;
      const { goal_id, state } = found;
      const { discoveryId: discovery_id } = fact.data;
      return { discovery_id, goal_id, status: state.status, progress: progressOf(state) };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}
