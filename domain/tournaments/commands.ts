import type { Message } from '../fact.js';
import type {
  ContestantFailed,
  ContestantScored,
  TournamentBegan,
  TournamentFailed,
  TournamentStarted,
} from './facts.js';

type Of = { readonly workspace: string; readonly tournamentId: string };
type With<F extends Message> = { readonly workspace: string } & F['data'];

/** Under an id that is taken nothing is started. */
export type StartTournament = Message<'StartTournament', With<TournamentStarted>>;
export type BeginTournament = Message<'BeginTournament', With<TournamentBegan>>;
export type BeginContestant = Message<'BeginContestant', Of & { readonly contestantId: string }>;
export type ScoreContestant = Message<'ScoreContestant', With<ContestantScored>>;
export type FailContestant = Message<'FailContestant', With<ContestantFailed>>;
/** Judges, once all contestants are through. `at`: epoch ms. */
export type JudgeTournament = Message<'JudgeTournament', Of & { readonly at: number }>;
/** It cannot be held at all. */
export type FailTournament = Message<
  'FailTournament',
  Of & Pick<TournamentFailed['data'], 'code' | 'message'>
>;
export type CancelTournament = Message<'CancelTournament', Of>;
/** `at`: epoch ms. */
export type CrownContestant = Message<
  'CrownContestant',
  Of & { readonly contestantId: string; readonly reason: string; readonly at: number }
>;

export type TournamentCommand =
  | StartTournament
  | BeginTournament
  | BeginContestant
  | ScoreContestant
  | FailContestant
  | JudgeTournament
  | FailTournament
  | CancelTournament
  | CrownContestant;
