import type { Fact } from '../fact.js';
import { onGoal, type GoalStanding } from '../goals/frames.js';
import type { Frames } from '../realtime/frame.js';
import type { GoalRevised } from './facts.js';

/** What is told of revisions, to those who listen to a goal or its workspace. */
export const revisionFrames = (standing: GoalStanding): Frames => ({
  GoalRevised: {
    event: 'goal.revised',
    channels: onGoal,
    async data({ data: { goalId, revisionId }, meta }: Fact<GoalRevised>) {
      const found = await standing(meta.workspace!, goalId);
      if (!found) return null;
      const { status, shock_state } = found;
      return { goal_id: goalId, status, shock_state, revision_id: revisionId };
    },
  },
});
