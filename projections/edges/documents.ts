import type { KnownEdge } from '../../domain/edges/state.js';
import type { EdgeStatus } from '../../domain/goals/ports.js';

/**
 * An edge as it stands, and what lists are filtered and summed by. `validated`: it was validated at some
 * time.
 */
export type EdgeDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly edge_id: string;
  readonly goal: string;
  readonly goal_id: string;
  readonly source: string;
  readonly source_key: string;
  readonly kind: KnownEdge['kind'];
  readonly status: EdgeStatus;
  readonly lift: number | null;
  readonly half_life_s: number | null;
  readonly validated: boolean;
  readonly state: KnownEdge;
};

export const edgeDocId = (workspace: string, edgeId: string): string => `${workspace}/${edgeId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
export const sourceOf = (workspace: string, sourceKey: string): string => `${workspace}/${sourceKey}`;
