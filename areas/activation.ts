import { activation } from '../workers/activation.js';
import { area } from './area.js';
import type { DiscoveryArea } from './discovery.js';
import type { GoalsArea } from './goals.js';
import type { TournamentsArea } from './tournaments.js';

type On = {
  readonly goals: GoalsArea;
  readonly discovery: DiscoveryArea;
  readonly tournaments: TournamentsArea;
};

/** The way of a goal from its activation to its being active, over the areas that are built on it. */
export const activationArea = ({ goals, discovery, tournaments }: On) =>
  area({
    name: 'activation',
    reactors: [
      activation({
        ...{ goals: goals.commands, search: discovery.commands.search },
        startTournament: tournaments.commands.start,
        judged: tournaments.commands.judged,
      }),
    ],
  });
