import type { KeptRecipe, KeptTable } from '../../domain/segments/facts.js';
import type { Status } from '../../domain/segments/state.js';

/** A table that was built. Times are epoch ms; `read_at`: the position of the log from which it was read. */
export type TableDoc = KeptTable & {
  readonly version: number;
  readonly build: number;
  readonly read_at: number;
  readonly built_at: number;
};

/** A segment as it stands. Times are epoch ms. */
export type SegmentDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly segment_id: string;
  readonly name: string;
  readonly description: string;
  readonly recipe: KeptRecipe;
  readonly status: Status;
  readonly version: number;
  /** What a person changed, counted from 1. */
  readonly revision: number;
  /** The build that was asked for last, how often it was begun, and where the log stood then. */
  readonly build: number;
  readonly attempt: number;
  readonly started_at: number | null;
  /** It names signals or streams of a marketplace subscription. */
  readonly aliased: boolean;
  /** A build waits, or is under way. */
  readonly open: boolean;
  /** The last that was built; it may be of an earlier version. */
  readonly table: TableDoc | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly changed_rows: number | null;
  /** The position of the last fact that made it stale. */
  readonly changed_at: number | null;
  readonly created_at: number;
  readonly created_by: string;
  readonly updated_at: number;
};

/** A version of a segment's recipe, who made it, and the last table that was built of it. */
export type SegmentVersionDoc = {
  readonly _id: string;
  readonly segment: string;
  readonly version: number;
  readonly recipe: KeptRecipe;
  readonly created_at: number;
  readonly created_by: string;
  readonly table: TableDoc | null;
};

/** How a segment stood after a fact: what `as_of` reads. */
export type SegmentMomentDoc = {
  readonly _id: string;
  readonly segment: string;
  readonly at: number;
  readonly was: SegmentDoc;
};

export const segmentDocId = (workspace: string, segmentId: string): string => `${workspace}/${segmentId}`;
export const versionDocId = (segment: string, version: number): string =>
  `${segment}/${String(version).padStart(8, '0')}`;
