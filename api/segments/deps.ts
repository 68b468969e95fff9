import type { Tables } from '../../commands/segments/tables.js';
import type { Holidays, SegmentReads } from '../../commands/segments/sources.js';
import type { TableWork } from '../../commands/segments/work.js';
import type { SegmentCommands } from '../../commands/segments.js';
import type { SegmentQueries } from '../../projections/segments/queries.js';

type Asked = (workspace: string, segmentId: string) => Promise<readonly string[]>;
/** Ids of pipelines that train on a segment, and of goals that name it: both are built on segments. */
export type Dependants = { readonly pipelines: Asked; readonly goals: Asked };

export type SegmentDeps = {
  readonly commands: SegmentCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<SegmentCommands, 'delete' | 'removeFeature'>;
  readonly queries: SegmentQueries;
  readonly tables: Tables;
  readonly work: Pick<TableWork, 'preview' | 'suggest'>;
  readonly reads: SegmentReads;
  readonly holidays: Holidays;
  readonly dependants: Dependants;
  readonly clock: () => number;
  /**
   * Waits, a bounded time, until the read models of segments hold the fact at a position; null: nothing was
   * written.
   */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Segments';
export const readAccess = { kind: 'workspace', scope: 'segments.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'segments.write' } as const;
