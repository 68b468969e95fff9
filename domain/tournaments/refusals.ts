import { Rejected } from '../rejected.js';
import type { TournamentStatus } from './state.js';

export const tournamentNotFound = (tournamentId: string): Rejected =>
  new Rejected('missing', 'not_found', `There is no tournament ${tournamentId}`, {
    tournament_id: tournamentId,
  });

export const tournamentRunning = (tournamentId: string): Rejected =>
  new Rejected('conflict', 'tournament_running', `The tournament ${tournamentId} of this goal is not over`, {
    tournament_id: tournamentId,
  });

export const invalidState = (status: TournamentStatus, does: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `The tournament is ${status}: ${does}`, { status });

export const contestantNotFound = (contestantId: string): Rejected =>
  new Rejected('missing', 'not_found', `contestant_id: there is no contestant ${contestantId} here`, {
    field: 'contestant_id',
    id: contestantId,
  });

export const notCrownable = (contestantId: string, status: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `The contestant ${contestantId} is ${status} and has no score`, {
    contestant_id: contestantId,
    status,
  });

/** Its goal has another target, step or zone since it began. */
export const otherSeries = (): Rejected =>
  new Rejected(
    'conflict',
    'invalid_state',
    'The goal has another target, step or time zone than the tournament: let models compete again',
  );
