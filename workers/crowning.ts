import type { Enthrone } from '../commands/tournaments/enthroning.js';
import type { Fact } from '../domain/fact.js';
import type { ContestantCrowned, TournamentCompleted } from '../domain/tournaments/facts.js';
import type { Reactor } from './engine/reactor.js';

/** Who won a tournament beside serving, or was crowned, forecasts the goal; an activation sees to its own. */
export const crowning = (enthrone: Enthrone): Reactor => ({
  name: 'crowning',
  concurrency: 4,
  on: {
    async TournamentCompleted({ data, meta }: Fact<TournamentCompleted>, context) {
      if (data.trigger === 'activation') return;
      await enthrone({ workspace: meta.workspace!, tournamentId: data.tournamentId }, context);
    },
    async ContestantCrowned({ data, meta }: Fact<ContestantCrowned>, context) {
      await enthrone({ workspace: meta.workspace!, tournamentId: data.tournamentId }, context);
    },
  },
});
