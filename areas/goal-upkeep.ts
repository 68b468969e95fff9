import { RESTS } from '../domain/goals/drift.js';
import { recordOf } from '../projections/forecasts/accuracy.js';
import { goalUpkeep } from '../workers/goal-upkeep.js';
import { area } from './area.js';
import type { DiscoveryArea } from './discovery.js';
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
  readonly discovery: DiscoveryArea;
};

/** What is done for active goals by itself, weekly or when their forecasts become worse. */
export const goalUpkeepArea = (
  kernel: Kernel,
  { identity, goals, forecasts, tournaments, discovery }: On,
) => {
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
            {
              automatic: ({ autoDiscovery }) => autoDiscovery,
              last: doc => doc.discovered_at ?? null,
              rest: RESTS.discovery,
              leads: false,
              begin: discovery.commands.search,
            },
            {
              // Who looks for more each week looks at what was found, too
              automatic: ({ autoDiscovery }) => (autoDiscovery === 'on_drift' ? 'weekly' : 'off'),
              last: doc => doc.rechecked_at ?? null,
              rest: RESTS.discovery,
              leads: false,
              begin: discovery.recheckAll,
            },
          ],
          recordOf: ({ workspace, goal_id: goalId, state }) =>
            recordOf(forecasts.queries, workspace, goalId, state.settings.metric),
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
        }),
    },
  });
};
