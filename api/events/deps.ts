import type { EventCommands } from '../../commands/events.js';
import type { EventTookEffect } from '../../domain/shocks/effects.js';
import type { ListedEvent } from '../../projections/events/candidates.js';
import type { EventDoc } from '../../projections/events/documents.js';
import type { EventQueries, Revision } from '../../projections/events/queries.js';
import type { Place, StreamPage } from '../../projections/events/stream-queries.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import type { Summaries } from '../catalogue/stream-summary.js';

/** What an event did to a goal that its stream drives. */
export type EventEffect = Pick<EventTookEffect['data'], 'goalId' | 'edgeId' | 'action' | 'reason'>;

/** A stream as it was at a moment. */
export type StreamPast = {
  /** Under which the workspace reads it. */
  readonly key: string;
  readonly page: (
    limit: number,
    before: number | null,
    place: Place | null,
  ) => Promise<StreamPage<ListedEvent>>;
  /** All of its events in order of occurrence, page by page. */
  readonly points: () => AsyncIterable<readonly ListedEvent[]>;
  readonly textOf: (eventId: string) => Promise<string>;
};
/** An event as it was at a moment, and its revisions until then, that one last. */
export type PastEvent = {
  readonly event: EventDoc;
  readonly revisions: readonly Revision[];
  /** Null also where too much of its stream has changed since. */
  readonly valueNormalized: () => Promise<number | null>;
};
/** What the reads of events are answered from as of a past moment, epoch ms. */
export type EventsThen = {
  /** Null: an alias without a right to it. @throws Rejected 422 for one that was deleted since */
  readonly stream: (workspace: string, key: string, asOf: number) => Promise<StreamPast | null>;
  /**
   * Whatever streams the workspace has, by key; those without events then too. `deletedSince`: names of
   * others, of which nothing is known.
   */
  readonly streams: (
    workspace: string,
    asOf: number,
  ) => Promise<{ readonly streams: readonly StreamPast[]; readonly deletedSince: readonly string[] }>;
  /** Null: it was not there. */
  readonly event: (workspace: string, eventId: string, asOf: number) => Promise<PastEvent | null>;
  readonly upcoming: (
    ...of: [workspace: string, asOf: number, until: number, keys: readonly string[] | null, limit: number]
  ) => Promise<{
    readonly events: readonly ListedEvent[];
    readonly total: number;
    readonly deletedSince: readonly string[];
  }>;
  readonly driving: (workspace: string, goalId: string, asOf: number) => Promise<readonly string[] | null>;
  readonly effects: (workspace: string, eventId: string, asOf: number) => Promise<readonly EventEffect[]>;
  readonly edges: (...of: [...Parameters<Summaries>, asOf: number]) => ReturnType<Summaries>;
};

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
  readonly then: EventsThen;
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
