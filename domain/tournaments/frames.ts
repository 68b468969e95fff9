import type { Fact } from '../fact.js';
import type { Frames, Tells } from '../realtime/frame.js';
import type { TournamentFact } from './facts.js';
import { progressOf, type KnownTournament } from './state.js';

/** The tournament of a fact, that fact included; null: it is not known. */
export type TournamentAfter = (
  fact: Fact<TournamentFact>,
) => Promise<{ readonly goal_id: string; readonly state: KnownTournament } | null>;

/** What is told of tournaments, to those who listen to the goal. */
export function tournamentFrames(after: TournamentAfter): Frames {
  const updated: Tells = {
    event: 'tournament.updated',
    async channels(fact: Fact<TournamentFact>) {
      const found = 'goalId' in fact.data ? fact.data.goalId : (await after(fact))?.goal_id;
      return found === undefined ? [] : [`goal:${found}`];
    },
    async data(fact: Fact<TournamentFact>) {
      const found = await after(fact);
      if (!found) return null;
      const { goal_id, state } = found;
      const { tournamentId: tournament_id } = fact.data;
      return { tournament_id, goal_id, status: state.status, progress: progressOf(state) };
    },
  };
  return Object.fromEntries(told.map(type => [type, updated]));
}

const told = [
  ...(['TournamentStarted', 'TournamentBegan', 'ContestantScored', 'ContestantFailed'] as const),
  ...(['TournamentCompleted', 'TournamentFailed', 'TournamentCancelled', 'ContestantCrowned'] as const),
] as const satisfies readonly TournamentFact['type'][];
