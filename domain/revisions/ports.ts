import type { EdgeStanding, EdgeStatus } from '../goals/ports.js';

/** An edge as it stands, whatever its status. */
export type EdgeNow = Pick<EdgeStanding, 'edgeId' | 'kind' | 'sourceKey' | 'status' | 'lift'>;
type OfGoal = { readonly workspace: string; readonly goalId: string };

/** Edges that are measured again where the history of their sources changed. */
export type EdgesRevised<Context> = {
  /** All of a goal. */
  readonly ofGoal: (workspace: string, goalId: string) => Promise<readonly EdgeNow[]>;
  /** One as its facts tell it now; null: it is not there. */
  readonly now: (workspace: string, edgeId: string) => Promise<EdgeNow | null>;
  /**
   * Has edges of a goal measured again by what is known now: the id of the job, the same where the same
   * `causation` asks again.
   */
  readonly recheck: (of: OfGoal, edgeIds: readonly string[], context: Context) => Promise<string>;
  readonly isOver: (of: OfGoal, checkId: string) => Promise<boolean>;
};

/** Edges that are at work, or may come to be. */
export const REVISABLE: readonly EdgeStatus[] = ['candidate', 'validated', 'weakening', 'pinned'];
