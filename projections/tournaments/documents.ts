import type { TournamentTrigger } from '../../domain/tournaments/facts.js';
import type { KnownTournament, TournamentStatus } from '../../domain/tournaments/state.js';

/** A tournament as it stands. `open`: it is not over; `started_at`: epoch ms. */
export type TournamentDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly tournament_id: string;
  readonly goal: string;
  readonly goal_id: string;
  readonly status: TournamentStatus;
  readonly open: boolean;
  readonly trigger: TournamentTrigger;
  readonly started_at: number;
  readonly state: KnownTournament;
};

export const tournamentDocId = (workspace: string, tournamentId: string): string =>
  `${workspace}/${tournamentId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
