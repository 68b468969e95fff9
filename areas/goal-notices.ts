import type { Fact } from '../domain/fact.js';
import type { GoalHealthChanged, GoalWentActive } from '../domain/goals/facts.js';
import { healthOf } from '../domain/goals/health.js';
import type { Notice, Notices } from '../domain/notifications/notice.js';

const ofGoal = (
  kind: string,
  { data, meta }: Fact<GoalHealthChanged | GoalWentActive>,
  told: Notice['data'] = {},
): Notice => ({
  kind,
  to: { workspace: meta.workspace!, leastRole: 'viewer' },
  goalId: data.goalId,
  data: { goal_id: data.goalId, ...told },
  groupKey: `${kind}/${data.goalId}`,
});

export const goalNotices: Notices = {
  /** Of a fleet's goals there is one. */
  GoalWentActive(fact: Fact<GoalWentActive>): Notice {
    const { fleetId } = fact.data;
    if (fleetId === undefined) return ofGoal('goal.activated', fact);
    const one = ofGoal('goal.activated', fact, { fleet_id: fleetId });
    return { ...one, goalId: null, groupKey: `${one.kind}/${fleetId}` };
  },
  GoalHealthChanged: (fact: Fact<GoalHealthChanged>): Notice => {
    const { reasons } = fact.data;
    const reason = reasons.length === 0 ? 'All is well again.' : `What is wrong: ${reasons.join(', ')}.`;
    return ofGoal('goal.health_changed', fact, {
      health: healthOf(reasons),
      health_reasons: reasons,
      reason,
    });
  },
};
