import { partOf } from '../billing/rates.js';
import type { Price } from '../billing/credits.js';
import type { Decider } from '../decider.js';
import type { Champion } from '../goals/model.js';
import type {
  BeginContestant,
  CrownContestant,
  FailContestant,
  JudgeTournament,
  ScoreContestant,
  TournamentCommand,
} from './commands.js';
import type { TournamentFact } from './facts.js';
import { judge } from './judging.js';
import { contestantNotFound, invalidState, notCrownable, tournamentNotFound } from './refusals.js';
import {
  evolve,
  initialState,
  isChampionAfter,
  isOpen,
  isPending,
  type ContestantState,
  type KnownTournament,
  type TournamentState,
} from './state.js';

function decide(command: TournamentCommand, state: TournamentState): readonly TournamentFact[] {
  if (command.type === 'StartTournament') {
    const { workspace: _, ...data } = command.data;
    return state.status === 'none' ? [{ type: 'TournamentStarted', data }] : [];
  }
  if (state.status === 'none') throw tournamentNotFound(command.data.tournamentId);
  switch (command.type) {
    case 'BeginTournament': {
      const { workspace: _, ...data } = command.data;
      return state.status === 'queued' ? [{ type: 'TournamentBegan', data }] : [];
    }
    case 'BeginContestant':
    case 'ScoreContestant':
    case 'FailContestant':
      return ofContestant(command, state);
    case 'JudgeTournament':
      return judged(command, state);
    case 'FailTournament': {
      const { code, message } = command.data;
      return isOpen(state.status)
        ? [{ type: 'TournamentFailed', data: { ...ofGoal(state), code, message } }]
        : [];
    }
    case 'CancelTournament':
      if (!isOpen(state.status)) throw invalidState(state.status, 'there is nothing left to cancel');
      return [{ type: 'TournamentCancelled', data: { ...ofGoal(state), used: usedOf(state) } }];
    case 'CrownContestant':
      return crowned(command, state);
  }
}

const ofGoal = ({ started: { tournamentId, goalId, trigger } }: KnownTournament) => ({
  ...{ tournamentId, goalId, trigger },
});

/** What is said of a contestant that is through already, or of a tournament that is over, changes nothing. */
function ofContestant(
  command: BeginContestant | ScoreContestant | FailContestant,
  state: KnownTournament,
): readonly TournamentFact[] {
  const { contestantId, tournamentId } = command.data;
  const one = state.contestants.find(({ contestant }) => contestant.contestantId === contestantId);
  if (!one) throw contestantNotFound(contestantId);
  if (state.status !== 'running' || !isPending(one)) return [];
  switch (command.type) {
    case 'BeginContestant':
      return one.status === 'waiting'
        ? [{ type: 'ContestantBegan', data: { tournamentId, contestantId } }]
        : [];
    case 'ScoreContestant': {
      const { workspace: _, ...data } = command.data;
      return [{ type: 'ContestantScored', data }];
    }
    case 'FailContestant': {
      const { workspace: _, ...data } = command.data;
      return [{ type: 'ContestantFailed', data }];
    }
  }
}

function judged({ data: { at } }: JudgeTournament, state: KnownTournament): readonly TournamentFact[] {
  if (!isOpen(state.status) || state.contestants.some(isPending)) return [];
  const judgement = judge(state, at);
  if (judgement)
    return [{ type: 'TournamentCompleted', data: { ...ofGoal(state), ...judgement, used: usedOf(state) } }];
  const [why = 'nobody took part'] = state.contestants.flatMap(reasonOf);
  const message = `No contestant has a score: ${why}`;
  return [{ type: 'TournamentFailed', data: { ...ofGoal(state), code: 'no_valid_contestant', message } }];
}

const reasonOf = ({ contestant: { name }, failed }: ContestantState): string[] =>
  failed ? [`${name}: ${failed.message}`] : [];

/** Of what is held: a share for each that was scored. */
function usedOf({ started: { price }, contestants }: KnownTournament): Price | null {
  const paid = contestants.filter(({ contestant }) => contestant.paid);
  const done = paid.filter(({ status }) => status === 'scored');
  return paid.length === 0 ? null : partOf(price, done.length / paid.length);
}

function crowned({ data }: CrownContestant, state: KnownTournament): readonly TournamentFact[] {
  const { contestantId, reason, at } = data;
  if (state.status !== 'completed') throw invalidState(state.status, 'there is nobody to crown');
  const one = state.contestants.find(({ contestant }) => contestant.contestantId === contestantId);
  if (!one) throw contestantNotFound(contestantId);
  if (!one.scored) throw notCrownable(contestantId, one.status);
  const { championAfter: before, decision, runnerUp } = state;
  const isSame = isChampionAfter(state, one);
  if (isSame && decision?.by === 'user' && decision.reason === reason) return [];
  const championAfter: Champion = {
    ...{ model: one.scored.model, name: one.contestant.name, score: one.scored.score },
    ...{ since: at, tournamentId: state.started.tournamentId },
  };
  // Who is crowned leaves a place; who was the champion is the next best that is known
  const next = before && !isSame ? before : runnerUp;
  return [
    {
      type: 'ContestantCrowned',
      data: { ...ofGoal(state), contestantId, championAfter, runnerUp: next, reason },
    },
  ];
}

/** Of the journal, within its category. */
export const tournamentJournalId = (workspace: string, tournamentId: string): string =>
  `${workspace}.${tournamentId}`;

/** Contestants are scored on the same folds one after the other; then it is judged who is the champion. */
export const tournaments: Decider<TournamentCommand, TournamentFact, TournamentState> = {
  category: 'tournament',
  idOf: ({ data }) => tournamentJournalId(data.workspace, data.tournamentId),
  initialState,
  decide,
  evolve,
};
