import type { DiscoveryCommands } from '../../commands/discovery/records.js';
import type { Starting } from '../../commands/discovery/starting.js';
import type { EdgeCommands } from '../../commands/edges/records.js';
import type { Source } from '../../domain/discovery/facts.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { DiscoveryQueries } from '../../projections/discovery/queries.js';
import type { EdgeDoc } from '../../projections/edges/documents.js';
import type { EdgeQueries } from '../../projections/edges/queries.js';

export type DiscoveryDeps = {
  readonly commands: DiscoveryCommands;
  readonly queries: DiscoveryQueries;
  readonly start: Starting;
  readonly edges: { readonly commands: EdgeCommands; readonly queries: EdgeQueries };
  /** Null: the workspace has no such goal. */
  readonly goal: (
    workspace: string,
    goalId: string,
  ) => Promise<{ readonly state: Pick<LiveGoal, 'settings' | 'status'> } | null>;
  /** Edges as they stood at a moment, epoch ms. */
  readonly then: {
    readonly goal: (workspace: string, goalId: string, asOf: number) => Promise<object | null>;
    readonly edgeThen: (workspace: string, edgeId: string, asOf: number) => Promise<EdgeDoc | null>;
    readonly ofGoal: (workspace: string, goalId: string, asOf: number) => Promise<readonly EdgeDoc[]>;
  };
  readonly isThere: (workspace: string, source: Source) => Promise<boolean>;
  /** From which importance on an event of a stream begins a shock of a goal now; null: the goal is gone. */
  readonly barOf: (workspace: string, goalId: string, stream: string) => Promise<number | null>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of discoveries and edges hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'discovery.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'discovery.write' } as const;
export const all = '/v1/goals/{goal_id}/discovery';
export const one = `${all}/{discovery_id}` as const;
export const allEdges = '/v1/goals/{goal_id}/edges';
export const oneEdge = `${allEdges}/{edge_id}` as const;
