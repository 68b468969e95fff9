import type { Message } from '../fact.js';
import type { EdgeStatus } from '../goals/ports.js';
import type { GoalMetric } from '../goals/settings.js';
import type { Affected, Cause } from './causes.js';
import type { EdgeNow } from './ports.js';

type OfRevision = { readonly revisionId: string };

/**
 * History changed: this begins a revision, which takes further causes until `closesAt` (epoch ms). `number`
 * counts those of the workspace, from 0.
 */
export type RevisionQueued = Message<
  'RevisionQueued',
  OfRevision & { readonly number: number; readonly closesAt: number; readonly causes: readonly Cause[] }
>;
/** More changed meanwhile. */
export type RevisionCausesAdded = Message<
  'RevisionCausesAdded',
  OfRevision & { readonly causes: readonly Cause[] }
>;
/**
 * What its causes change of a goal: from and to of all of them so far, and the keys that are new; all facts
 * of a goal together count.
 */
export type GoalHistoryChanged = Message<'GoalHistoryChanged', OfRevision & Affected>;

/** A segment before it is built anew; the hash is null where it has no table. */
export type SegmentBefore = { readonly segmentId: string; readonly tableHash: string | null };
/** Tables are built anew. */
export type RevisionBegan = Message<
  'RevisionBegan',
  OfRevision & { readonly segments: readonly SegmentBefore[] }
>;
/** After it; `rows`: so many were made, the others taken over. */
export type SegmentAfter = { readonly segmentId: string; readonly tableHash: string; readonly rows: number };
/** Tables hold what changed; a segment that was deleted meanwhile is absent. Goals are looked at again. */
export type RevisionRebuilt = Message<
  'RevisionRebuilt',
  OfRevision & { readonly segments: readonly SegmentAfter[] }
>;

/** Edges of a goal are measured again, by the job `checkId`; how each stood before. */
export type GoalEdgesRechecked = Message<
  'GoalEdgesRechecked',
  OfRevision & { readonly goalId: string; readonly checkId: string; readonly edges: readonly EdgeNow[] }
>;
/** What became of an edge that was looked at again. */
export type EdgeChange = {
  readonly edgeId: string;
  readonly sourceKey: string;
  readonly statusBefore: EdgeStatus;
  readonly statusAfter: EdgeStatus;
  readonly liftBefore: number | null;
  readonly liftAfter: number | null;
};
/** A past moment of which the champion was judged, epoch ms: the last step that it knew. */
export type Rescored = {
  readonly metric: GoalMetric;
  readonly model: string;
  readonly cutoffs: readonly number[];
  /** Of each forecast. */
  readonly steps: number;
};
/**
 * A goal was looked at again. Scores are its champion's on the window that changed, by what was known before
 * and after; null where they cannot be told, and `notScored` says why. `tournamentId`: the one it began.
 */
export type GoalRevised = Message<
  'GoalRevised',
  OfRevision & {
    readonly goalId: string;
    readonly from: number;
    readonly to: number;
    readonly rowsChanged: number;
    readonly scoreBefore: number | null;
    readonly scoreAfter: number | null;
    readonly rescored: Rescored | null;
    readonly notScored: string | null;
    readonly edgeChanges: readonly EdgeChange[];
    readonly tournamentId: string | null;
  }
>;

/** A goal as the notification of a revision tells of it: of its edges the first that are other now. */
export type GoalTold = Omit<GoalRevised['data'], 'revisionId'>;
/** All is done. `cause`: the first; `goals`: the first `MOST_TOLD` of all `affected`. */
export type HistoryRevised = Message<
  'HistoryRevised',
  OfRevision & {
    readonly cause: Cause;
    readonly causes: number;
    readonly from: number;
    readonly to: number;
    readonly goals: readonly GoalTold[];
    readonly affected: number;
  }
>;
/** It could not be done: what was there before stays in force. */
export type RevisionFailed = Message<
  'RevisionFailed',
  OfRevision & { readonly code: string; readonly message: string }
>;

/** Journal `revision-<workspace>.<revision_id>`. */
export type RevisionFact =
  | RevisionQueued
  | RevisionCausesAdded
  | GoalHistoryChanged
  | RevisionBegan
  | RevisionRebuilt
  | GoalEdgesRechecked
  | GoalRevised
  | HistoryRevised
  | RevisionFailed;
