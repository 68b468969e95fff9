import type { EventCommands } from '../../commands/events.js';
import type { SignalCommands } from '../../commands/signals.js';
import type { Compute } from '../../domain/maths/compute.js';
import type { Tasks } from '../../domain/maths/tasks.js';
import type { Courses } from '../../projections/catalogue/courses.js';
import type { Overview, OverviewAsked } from '../../projections/catalogue/overview.js';
import type { SignalsThen } from '../../projections/catalogue/then.js';
import type { Catalogue } from '../../projections/catalogue/queries.js';
import type { EventQueries } from '../../projections/events/queries.js';
import type { GoneThen } from '../../projections/signals/gone.js';
import type { MarketplaceQueries } from '../../projections/marketplace/queries.js';
import type { SignalLists } from '../../projections/signals/lists.js';
import type { SignalQueries } from '../../projections/signals/queries.js';
import type { Summaries } from '../catalogue/stream-summary.js';
import type { Answers } from '../edge/answers.js';
import type { AnalysisReads } from './subjects.js';

/**
 * Waits, a bounded time, until the read models of an area hold the fact at a position; null: nothing was
 * written.
 */
type Visible = (position: number | null) => Promise<void>;

/** `reads`: what analyses are made of, with what the workspace subscribes to. */
export type AnalysisDeps = {
  readonly reads: AnalysisReads;
  readonly compute: Compute<Tasks>;
  readonly answers: Answers;
};

export type SignalDeps = {
  readonly analysis: AnalysisDeps;
  readonly commands: SignalCommands;
  readonly queries: SignalQueries;
  readonly clock: () => number;
  readonly visible: Visible;
  /** Signals and event streams in one list, signals many at a time, and what they do over time. */
  readonly catalogue: Catalogue;
  readonly signalsThen: SignalsThen;
  /** Signals that were deleted after a moment. */
  readonly gone: GoneThen;
  readonly lists: SignalLists;
  readonly courses: Courses;
  readonly overview: (workspace: string, asked: OverviewAsked) => Promise<Overview>;
  readonly streams: {
    readonly commands: Pick<EventCommands, 'assignStreamGroup' | 'nameStream' | 'deleteStream'>;
    readonly queries: EventQueries;
    readonly visible: Visible;
  };
  /** Anew for each dry run: those that write, but nothing is written. */
  readonly trying: () => Pick<SignalDeps, 'commands' | 'streams'>;
  readonly market: Pick<MarketplaceQueries, 'listingsOf' | 'resolve'>;
  readonly inUse: InUse;
  readonly edges: Summaries;
};

/** An active goal or a segment, and those of some signals and event streams that it uses. */
export type Use = {
  readonly kind: 'goal' | 'segment';
  readonly id: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly streams: readonly string[];
};
export type InUse = (
  workspace: string,
  keys: readonly string[],
  streams: readonly string[],
) => Promise<readonly Use[]>;

export const tag = 'Signals';
export const reads = { kind: 'workspace', scope: 'signals.read' } as const;
export const writes = { kind: 'workspace', scope: 'signals.write' } as const;
