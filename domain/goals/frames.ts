import type { Fact } from '../fact.js';
import type { Channel, Frames, Tells } from '../realtime/frame.js';
import type { GoalFact } from './facts.js';
import type { GoalStatus } from './state.js';

/** Everybody who listens to a goal, or to its workspace. */
export const onGoal = ({
  meta,
  data,
}: Fact<{ readonly type: string; readonly data: { readonly goalId: string } }>): readonly Channel[] => [
  `workspace:${meta.workspace}`,
  `goal:${data.goalId}`,
];

/** How a goal stands, as read models show it; null: it is not there. */
export type GoalStanding = (
  workspace: string,
  goalId: string,
) => Promise<{ readonly status: GoalStatus; readonly shock_state: string } | null>;

const told = [
  ...(['GoalCreated', 'GoalChanged', 'GoalActivated', 'GoalDiscovered', 'GoalWentActive'] as const),
  ...(['GoalChampionChanged', 'GoalPaused', 'GoalResumed', 'GoalArchived', 'GoalRestored'] as const),
  ...(['GoalDeleted', 'GoalHealthChanged'] as const),
] as const satisfies readonly GoalFact['type'][];

/** What is told of goals. */
export function goalFrames(standing: GoalStanding): Frames {
  const updated: Tells = {
    event: 'goal.updated',
    channels: onGoal,
    async data({ data, meta }: Fact<GoalFact>) {
      const { status, shock_state } = (await standing(meta.workspace!, data.goalId)) ?? GONE;
      return { goal_id: data.goalId, status, shock_state };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}

const GONE = { status: 'deleted', shock_state: 'normal' } as const;
