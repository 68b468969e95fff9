import type { Message } from '../fact.js';
import type { Weighing } from '../maths/effects/answer.js';
import type { BuiltTable, OfEdge } from './ports.js';
import type { Feature, Recipe } from './recipe.js';

/** A feature under the id it has for those who change it; nothing in the table hangs on the id. */
export type KeptFeature = Feature & { readonly feature_id: string };
/** A recipe as it is kept. */
export type KeptRecipe = Omit<Recipe, 'features'> & { readonly features: readonly KeptFeature[] };

/** How the segment is called, which nothing in its table hangs on. */
export type Called = { readonly name: string; readonly description: string };

/** What a column of responses was made by: of a stream, and of an entity (null: there are none). */
export type KeptResponse = OfEdge & {
  readonly stream: string;
  readonly entity: string | null;
  readonly weighedBy: Weighing['by'];
};

/**
 * A table as it was built: what was made of it is small, the rest stands in the file that `manifest` names.
 * `entities`: how many there are; null where the table has none. `rebuilt_rows`: so many were made, the
 * others were taken over from the table before; facts that do not say it made all. `responses`: the first
 * `MOST_TOLD` of those that the file has, where there are any.
 */
export type KeptTable = Omit<BuiltTable, 'entities' | 'responses'> & {
  readonly entities: number | null;
  readonly responses?: readonly KeptResponse[];
  readonly rebuilt_rows?: number;
  readonly manifest: string;
};

type OfSegment = { readonly segmentId: string };
/** `build` counts the builds that were asked for, from 1. */
type OfBuild = OfSegment & { readonly version: number; readonly build: number };

/** Version 1, whose build is asked for with it. */
export type SegmentCreated = Message<'SegmentCreated', OfSegment & Called & { readonly recipe: KeptRecipe }>;
export type SegmentRenamed = Message<'SegmentRenamed', OfSegment & Called>;
/** Another recipe makes another version, and a build is asked for with it. */
export type SegmentRevised = Message<'SegmentRevised', OfBuild & { readonly recipe: KeptRecipe }>;
export type SegmentRebuildRequested = Message<'SegmentRebuildRequested', OfBuild>;
/**
 * The build reads what was recorded before this fact. `attempt` counts from 1: what is cut short begins
 * again.
 */
export type SegmentBuildStarted = Message<'SegmentBuildStarted', OfBuild & { readonly attempt: number }>;
export type SegmentBuilt = Message<'SegmentBuilt', OfBuild & { readonly table: KeptTable }>;
export type SegmentBuildFailed = Message<
  'SegmentBuildFailed',
  OfBuild & { readonly code: string; readonly message: string }
>;
/**
 * Something that the table stands on has changed since its build began: from and to (not included), epoch ms,
 * rows may differ, of one entity or (null) of any. `upTo`: the position of the fact that changed it;
 * `changedRows`: at most so many differ, of all changes since that build.
 */
export type SegmentWentStale = Message<
  'SegmentWentStale',
  OfSegment & {
    readonly from: number;
    readonly to: number;
    readonly entity: string | null;
    readonly upTo: number;
    readonly changedRows: number;
  }
>;
export type SegmentDeleted = Message<'SegmentDeleted', OfSegment>;

export type SegmentFact =
  | SegmentCreated
  | SegmentRenamed
  | SegmentRevised
  | SegmentRebuildRequested
  | SegmentBuildStarted
  | SegmentBuilt
  | SegmentBuildFailed
  | SegmentWentStale
  | SegmentDeleted;
