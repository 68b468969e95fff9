import { hash } from 'node:crypto';
import type { Reference } from '../../domain/billing/credits.js';
import type { TournamentCommand } from '../../domain/tournaments/commands.js';
import { tournamentJournalId, tournaments } from '../../domain/tournaments/decider.js';
import type {
  ContestantFailed,
  ContestantScored,
  TournamentBegan,
  TournamentFact,
  TournamentStarted,
} from '../../domain/tournaments/facts.js';
import { tournamentNotFound } from '../../domain/tournaments/refusals.js';
import { isOpen, type KnownTournament, type TournamentState } from '../../domain/tournaments/state.js';
import type { Credits } from '../billing/credits.js';
import type { Context, Handle, Load, Outcome } from '../engine/handle.js';

/** How a tournament is named in ledgers. */
export const paidFor = (tournamentId: string): Reference => ({ type: 'tournament', id: tournamentId });

const derived = (text: string): string => `trm_${hash('sha256', text).slice(0, 16)}`;
/** Ids that follow from what they are of: what is begun again after a kill makes nothing twice. */
export const numberedId = (goalId: string, number: number): string => derived(`${goalId}/${number}`);
export const followingId = (goalId: string, cause: string): string => derived(`${goalId} ${cause}`);
/** A number from 0 to 2^32 - 1. */
export const seedOf = (tournamentId: string): number =>
  Number.parseInt(hash('sha256', tournamentId).slice(0, 8), 16);

export type OfTournament = { readonly workspace: string; readonly tournamentId: string };
type Written = Outcome<TournamentFact, TournamentState>;
type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  readonly credits: Pick<Credits, 'charge' | 'release'>;
};
export type TournamentCommands = ReturnType<typeof tournamentCommands>;

/** What is written of tournaments; whoever ends one ends its hold, too. */
export function tournamentCommands({ handle, load, credits }: Deps) {
  async function give(command: TournamentCommand, context: Context): Promise<Written> {
    const { workspace, tournamentId } = command.data;
    const outcome = await handle(tournaments, command, { ...context, workspace });
    const last = outcome.facts.at(-1);
    const reference = paidFor(tournamentId);
    if (last?.type === 'TournamentCompleted' || last?.type === 'TournamentCancelled') {
      const { used } = last.data;
      if (used) credits.charge(workspace, reference, context, used);
      else credits.release(workspace, reference, 'cancelled', context);
    } else if (last?.type === 'TournamentFailed') credits.release(workspace, reference, 'failed', context);
    return outcome;
  }
  const state = ({ workspace, tournamentId }: OfTournament): Promise<TournamentState> =>
    load(tournaments, tournamentJournalId(workspace, tournamentId));

  return {
    /** As its facts tell it now. */
    state,
    /** @throws Rejected 404 */
    async read(of: OfTournament): Promise<KnownTournament> {
      const found = await state(of);
      if (found.status === 'none') throw tournamentNotFound(of.tournamentId);
      return found;
    },
    start: (workspace: string, data: TournamentStarted['data'], context: Context) =>
      give({ type: 'StartTournament', data: { workspace, ...data } }, context),
    begin: (workspace: string, data: TournamentBegan['data'], context: Context) =>
      give({ type: 'BeginTournament', data: { workspace, ...data } }, context),
    beginContestant: (of: OfTournament, contestantId: string, context: Context) =>
      give({ type: 'BeginContestant', data: { ...of, contestantId } }, context),
    score: (workspace: string, data: ContestantScored['data'], context: Context) =>
      give({ type: 'ScoreContestant', data: { workspace, ...data } }, context),
    failContestant: (workspace: string, data: ContestantFailed['data'], context: Context) =>
      give({ type: 'FailContestant', data: { workspace, ...data } }, context),
    judge: (of: OfTournament, context: Context) =>
      give({ type: 'JudgeTournament', data: { ...of, at: context.at } }, context),
    fail: (of: OfTournament, why: { readonly code: string; readonly message: string }, context: Context) =>
      give({ type: 'FailTournament', data: { ...of, code: why.code, message: why.message } }, context),
    /** @throws Rejected 404; 409 once it is over */
    cancel: (of: OfTournament, context: Context) => give({ type: 'CancelTournament', data: of }, context),
    /** @throws Rejected 404; 409 before it is over, or for who has no score */
    crown: (of: OfTournament, contestantId: string, reason: string, context: Context) =>
      give({ type: 'CrownContestant', data: { ...of, contestantId, reason, at: context.at } }, context),
  };
}

/** What became of a tournament, as its facts tell it: for holds that nobody ended. */
export const becameOf = (load: Load) => async (workspace: string, tournamentId: string) => {
  const found = await load(tournaments, tournamentJournalId(workspace, tournamentId));
  if (found.status === 'none') return 'unknown';
  if (isOpen(found.status)) return 'under way';
  if (found.used) return { used: found.used };
  return found.status === 'failed' ? 'failed' : 'cancelled';
};
