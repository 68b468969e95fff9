import type { Fact } from '../fact.js';
import { onGoal } from '../goals/frames.js';
import type { GoalStanding } from '../goals/frames.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { ShockFact } from './facts.js';

/** What is told of shocks; `standing`: how a goal stands. */
export function shockFrames(standing: GoalStanding): Frames {
  const tells = (event: string): Tells => ({
    event,
    channels: onGoal,
    async data({ data, meta }: Fact<ShockFact>) {
      const found = await standing(meta.workspace!, data.goalId);
      if (!found) return null;
      return { goal_id: data.goalId, episode_id: data.episodeId, ...found };
    },
  });
  const updated = tells('goal.updated');
  return {
    ShockEntered: tells('goal.shock_entered'),
    ShockExited: tells('goal.shock_exited'),
    ...{ ShockDeepened: updated, ShockRecovering: updated },
  };
}
