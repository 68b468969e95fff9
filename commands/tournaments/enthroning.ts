import type { GoalCommands } from '../goals/records.js';
import { isOtherSeries } from '../../domain/goals/state.js';
import type { Context } from '../engine/handle.js';
import type { OfTournament, TournamentCommands } from './records.js';

type Deps = {
  readonly commands: Pick<TournamentCommands, 'read'>;
  readonly goals: Pick<GoalCommands, 'state' | 'champion'>;
};
/** Makes the champion of a tournament that of its goal; the position of the fact, null: it was so already. */
export type Enthrone = (of: OfTournament, context: Context) => Promise<number | null>;

/**
 * What a tournament replaced the champion by forecasts the goal from now on, unless something newer does, or
 * the goal is about other values by now.
 */
export const enthroningOf =
  ({ commands, goals }: Deps): Enthrone =>
  async (of, context) => {
    const { started, championAfter, runnerUp, decision } = await commands.read(of);
    if (!championAfter || decision?.result !== 'replaced') return null;
    const ofGoal = { workspace: of.workspace, goalId: started.goalId };
    const goal = await goals.state(ofGoal);
    if (goal.status === 'none' || isOtherSeries(goal.settings, { ...goal.settings, ...contestOf(started) }))
      return null;
    if (goal.champion && goal.champion.since > championAfter.since) return null;
    const { by, reason } = decision;
    return (await goals.champion(ofGoal, { champion: championAfter, runnerUp, by, reason }, context))
      .position;
  };

const contestOf = ({ contest: { target, stepS, timezone } }: { readonly contest: Contest }) => ({
  ...{ target, stepS, timezone },
});
type Contest = { readonly target: string; readonly stepS: number; readonly timezone: string };
