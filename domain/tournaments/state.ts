import type { Fact } from '../fact.js';
import type {
  Contestant,
  ContestantFailed,
  ContestantScored,
  Decision,
  Standing,
  TournamentBegan,
  TournamentFact,
  TournamentStarted,
} from './facts.js';
import type { Champion } from '../goals/model.js';
import type { Price } from '../billing/credits.js';

export const TOURNAMENT_STATUSES = [
  'queued',
  'running',
  'judging',
  'completed',
  'failed',
  'cancelled',
] as const;
export type TournamentStatus = (typeof TOURNAMENT_STATUSES)[number];
export const isOpen = (status: TournamentStatus): boolean =>
  status === 'queued' || status === 'running' || status === 'judging';

export const CONTESTANT_STATUSES = [
  ...(['waiting', 'fitting', 'scored', 'failed', 'disqualified', 'out_of_budget'] as const),
] as const;
export type ContestantStatus = (typeof CONTESTANT_STATUSES)[number];

export type ContestantState = {
  readonly contestant: Contestant;
  readonly status: ContestantStatus;
  readonly scored: ContestantScored['data'] | null;
  readonly failed: ContestantFailed['data'] | null;
};
export const isPending = ({ status }: Pick<ContestantState, 'status'>): boolean =>
  status === 'waiting' || status === 'fitting';

export type KnownTournament = {
  readonly status: TournamentStatus;
  readonly started: TournamentStarted['data'];
  readonly startedAt: number;
  readonly began: TournamentBegan['data'] | null;
  readonly contestants: readonly ContestantState[];
  readonly standings: readonly Standing[];
  readonly championAfter: Champion | null;
  readonly runnerUp: Champion | null;
  readonly decision: Decision | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly used: Price | null;
  readonly finishedAt: number | null;
};
export type TournamentState = { readonly status: 'none' } | KnownTournament;
export const initialState: TournamentState = { status: 'none' };

export function evolve(state: TournamentState, fact: Fact<TournamentFact>): TournamentState {
  if (fact.type === 'TournamentStarted') return begun(fact);
  return state.status === 'none' ? state : further(state, fact);
}

const begun = ({ data, at }: Fact<TournamentStarted>): KnownTournament => ({
  status: 'queued',
  started: data,
  startedAt: at,
  began: null,
  contestants: data.contestants.map(contestant => ({
    contestant,
    status: contestant.isOut ? 'out_of_budget' : 'waiting',
    scored: null,
    failed: null,
  })),
  ...{ standings: [], championAfter: data.championBefore, runnerUp: null, decision: null },
  ...{ error: null, used: null, finishedAt: null },
});

function further(
  state: KnownTournament,
  fact: Exclude<Fact<TournamentFact>, { type: 'TournamentStarted' }>,
): KnownTournament {
  switch (fact.type) {
    case 'TournamentBegan':
      return { ...state, status: 'running', began: fact.data };
    case 'ContestantBegan':
      return withContestant(state, fact.data.contestantId, { status: 'fitting' });
    case 'ContestantScored':
      return withContestant(state, fact.data.contestantId, { status: 'scored', scored: fact.data });
    case 'ContestantFailed': {
      const status = fact.data.disqualified ? 'disqualified' : 'failed';
      return withContestant(state, fact.data.contestantId, { status, failed: fact.data });
    }
    case 'TournamentCompleted': {
      const { standings, championAfter, runnerUp, decision, used } = fact.data;
      const told = { standings, championAfter, runnerUp, decision, used };
      return { ...state, status: 'completed', ...told, finishedAt: fact.at };
    }
    case 'TournamentFailed': {
      const { code, message } = fact.data;
      return { ...state, status: 'failed', error: { code, message }, finishedAt: fact.at };
    }
    case 'TournamentCancelled':
      return { ...state, status: 'cancelled', used: fact.data.used, finishedAt: fact.at };
    case 'ContestantCrowned': {
      const { championAfter, runnerUp, reason } = fact.data;
      const decision = { result: 'replaced', by: 'user', reason } as const;
      return { ...state, championAfter, runnerUp, decision };
    }
    default:
      return state;
  }
}

function withContestant(
  state: KnownTournament,
  contestantId: string,
  became: Partial<ContestantState>,
): KnownTournament {
  const contestants = state.contestants.map(one =>
    one.contestant.contestantId === contestantId ? { ...one, ...became } : one,
  );
  const status = contestants.some(isPending) ? state.status : 'judging';
  return { ...state, contestants, status };
}

/**
 * Whether a contestant is the champion after its tournament. Who keeps that place is who played the part: of
 * a deployment that is retired its replacement did.
 */
export function isChampionAfter(
  { championAfter, decision }: Pick<KnownTournament, 'championAfter' | 'decision'>,
  { contestant, scored }: Pick<ContestantState, 'contestant' | 'scored'>,
): boolean {
  if (decision?.result === 'kept') return contestant.roles.includes('champion');
  return championAfter !== null && JSON.stringify(championAfter.model) === JSON.stringify(scored?.model);
}

/** From 0 to 1: the share of contestants that are through. */
export function progressOf({ status, contestants }: KnownTournament): number {
  if (!isOpen(status)) return 1;
  const field = contestants.filter(one => one.status !== 'out_of_budget');
  return field.filter(one => !isPending(one)).length / Math.max(1, field.length);
}
