import type { EventCommands } from '../../commands/events.js';
import type { EventTookEffect } from '../../domain/shocks/effects.js';
import type { EventQueries } from '../../projections/events/queries.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import type { Summaries } from '../catalogue/stream-summary.js';

/** What an event did to a goal that its stream drives. */
export type EventEffect = Pick<EventTookEffect['data'], 'goalId' | 'edgeId' | 'action' | 'reason'>;

export type EventDeps = {
  readonly commands: EventCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<EventCommands, 'withdraw' | 'deleteStream'>;
  /** Of the workspace's own events. */
  readonly queries: Pick<EventQueries, 'stream'>;
  /** With those of the streams that it subscribes to. */
  readonly reads: EventReads;
  readonly edges: Summaries;
  /** Streams whose edges to a goal act now; null: the workspace has no such goal. */
  readonly driving: (workspace: string, goalId: string) => Promise<readonly string[] | null>;
  /** What an event did to goals of the workspace. */
  readonly effects: (workspace: string, eventId: string) => Promise<readonly EventEffect[]>;
  readonly clock: () => number;
  /**
   * Waits, a bounded time, until the read models of events hold the fact at a position; null: nothing was
   * written.
   */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Events';
export const readAccess = { kind: 'workspace', scope: 'data.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'data.write' } as const;
