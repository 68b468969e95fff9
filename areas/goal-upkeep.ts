import { RESTS } from '../domain/goals/drift.js';
import { recordOf } from '../projections/forecasts/accuracy.js';
import { goalUpkeep } from '../workers/goal-upkeep.js';
import { area } from './area.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { TournamentsArea } from './tournaments.js';

type On = {
  readonly identity: IdentityArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly tournaments: TournamentsArea;
};

/** What is done for active goals by itself, weekly or when their forecasts become worse. */
export const goalUpkeepArea = (kernel: Kernel, { identity, goals, forecasts, tournaments }: On) => {
  const { clock, newId, log } = kernel;
  return area({
    name: 'goal-upkeep',
    schedulers: {
      'goal-upkeep': () =>
        goalUpkeep({
          ...{ queries: goals.queries, clock, newId, log },
          upkeep: [
            {
              automatic: ({ autoTournament }) => autoTournament,
              last: doc => doc.competed_at,
              rest: RESTS.tournament,
              leads: true,
              begin: (of, trigger, context) => tournaments.commands.start({ ...of, trigger }, context),
            },
          ],
          recordOf: ({ workspace, goal_id: goalId, state }) =>
            recordOf(forecasts.queries, workspace, goalId, state.settings.metric),
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
        }),
    },
  });
};
