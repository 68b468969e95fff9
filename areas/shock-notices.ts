import type { Fact } from '../domain/fact.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';
import type { ShockEntered, ShockExited } from '../domain/shocks/facts.js';

const ofShock = (
  kind: string,
  { data, meta }: Fact<ShockEntered | ShockExited>,
  told: Notice['data'],
): Notice => ({
  kind,
  to: { workspace: meta.workspace!, leastRole: 'viewer' },
  goalId: data.goalId,
  data: { goal_id: data.goalId, episode_id: data.episodeId, ...told },
  groupKey: `${kind}/${data.goalId}`,
});

export const shockNotices: Notices = {
  ShockEntered: (fact: Fact<ShockEntered>): Notice => {
    const { cause, bar, scheduled } = fact.data;
    const { stream, eventId, edgeId, importance } = cause;
    return ofShock('goal.shock_entered', fact, {
      ...{ cause: `an event of ${stream}`, event_id: eventId, stream, edge_id: edgeId },
      ...{ importance, importance_bar: bar, scheduled },
    });
  },
  ShockExited: (fact: Fact<ShockExited>): Notice => {
    const { reason, depth, grade } = fact.data;
    const { steps, blendLoss, championLoss } = grade;
    return ofShock('goal.shock_exited', fact, {
      ...{ reason, depth, graded_steps: steps, blend_loss: blendLoss, champion_loss: championLoss },
    });
  },
};
