import type { TestedSource } from '../../domain/discovery/facts.js';
import type { DiscoveryStatus, KnownDiscovery } from '../../domain/discovery/state.js';

/** A discovery as it stands, without what it found. `open`: it is not over; times are epoch ms. */
export type DiscoveryDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly discovery_id: string;
  readonly goal: string;
  readonly goal_id: string;
  readonly status: DiscoveryStatus;
  readonly open: boolean;
  readonly queued_at: number;
  /** Of an open one `tested` is there without its `results`. */
  readonly state: KnownDiscovery;
};

/** What a discovery found, source by source. */
export type ResultsDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly results: readonly TestedSource[];
};

export const discoveryDocId = (workspace: string, discoveryId: string): string =>
  `${workspace}/${discoveryId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
