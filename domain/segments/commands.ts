import type { Message } from '../fact.js';
import type { Called, KeptFeature, KeptRecipe, KeptTable } from './facts.js';
import type { Read, Span } from './reach.js';
import type { Normalization } from './recipe.js';

type OfSegment = { readonly workspace: string; readonly segmentId: string };
/** `seen`: the revision the change is meant for; null: whichever there is. */
type Edit = OfSegment & { readonly seen: number | null };
type OfBuild = OfSegment & { readonly build: number };

export type CreateSegment = Message<'CreateSegment', OfSegment & Called & { readonly recipe: KeptRecipe }>;
/** Absent stays as it is. */
export type ReviseSegment = Message<
  'ReviseSegment',
  Edit & Partial<Called> & { readonly recipe?: KeptRecipe }
>;
export type SetNormalization = Message<'SetNormalization', Edit & { readonly normalization: Normalization }>;
export type AddFeature = Message<'AddFeature', Edit & { readonly feature: KeptFeature }>;
/** Takes the place of the one with its id. */
export type ReplaceFeature = Message<'ReplaceFeature', Edit & { readonly feature: KeptFeature }>;
export type RemoveFeature = Message<'RemoveFeature', Edit & { readonly featureId: string }>;
export type RebuildSegment = Message<'RebuildSegment', OfSegment>;
export type StartBuild = Message<'StartBuild', OfBuild>;
export type FinishBuild = Message<
  'FinishBuild',
  OfBuild & { readonly attempt: number; readonly table: KeptTable }
>;
export type FailBuild = Message<'FailBuild', OfBuild & { readonly code: string; readonly message: string }>;
/**
 * Points or events of what is read have changed, from one time to another (both included, epoch ms; null: all
 * of them), of one entity or (null) for all. `upTo`: the position of the fact that changed them.
 */
export type Change = {
  readonly read: Read;
  readonly times: Span | null;
  readonly entity: string | null;
  readonly upTo: number;
  /** Of a response: why it may be another. */
  readonly by?: ResponseChange;
};
/**
 * `scores`: events have others. `edge`: it is another one, or (`edgeId` null) all of a goal's are gone;
 * `target`: the signal that it tells of now, null: none.
 */
export type ResponseChange =
  | { readonly what: 'scores' }
  | {
      readonly what: 'edge';
      readonly edgeId: string | null;
      readonly goalId: string;
      readonly target: string | null;
    };
/** `at`: now, epoch ms. */
export type MarkStale = Message<
  'MarkStale',
  OfSegment & { readonly changes: readonly Change[]; readonly at: number }
>;
export type DeleteSegment = Message<'DeleteSegment', Edit>;

export type SegmentCommand =
  | CreateSegment
  | ReviseSegment
  | SetNormalization
  | AddFeature
  | ReplaceFeature
  | RemoveFeature
  | RebuildSegment
  | StartBuild
  | FinishBuild
  | FailBuild
  | MarkStale
  | DeleteSegment;
