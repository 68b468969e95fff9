import type { KnownRevision, RevisionStatus } from '../../domain/revisions/state.js';

/** A revision as it stands. `open`: it is not over; times are epoch ms. */
export type RevisionDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly revision_id: string;
  readonly number: number;
  readonly status: RevisionStatus;
  readonly open: boolean;
  readonly closes_at: number;
  readonly state: KnownRevision;
};

/** That a revision is of a goal's history, too. `position`: of the fact that first said so. */
export type GoalRevisionDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly revision: string;
  readonly position: number;
};

export const revisionDocId = (workspace: string, revisionId: string): string => `${workspace}/${revisionId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
