import { fold } from '../../../domain/decider.js';
import type { Fact } from '../../../domain/fact.js';
import type { Champion, LocalMethod } from '../../../domain/goals/model.js';
import type { TournamentCommand } from '../../../domain/tournaments/commands.js';
import { tournaments } from '../../../domain/tournaments/decider.js';
import type {
  Contestant,
  ContestantScored,
  TournamentBegan,
  TournamentFact,
  TournamentStarted,
} from '../../../domain/tournaments/facts.js';
import type { KnownTournament, TournamentState } from '../../../domain/tournaments/state.js';

export const of = { workspace: 'w', tournamentId: 'trm_1' } as const;
/** A moment of November 2026, epoch ms. */
export const NOW = Date.UTC(2026, 10, 23, 12);

export const contestant = (method: LocalMethod, over: Partial<Contestant> = {}): Contestant => ({
  contestantId: `con_${method}`,
  name: method,
  what: { kind: 'model', model: { kind: 'local', method } },
  roles: method === 'seasonal_naive' ? ['baseline'] : [],
  ...{ paid: true, isOut: false },
  ...over,
});
export const champion = (method: LocalMethod): Champion => ({
  model: { kind: 'local', method },
  ...{ name: method, score: 1, since: NOW - 1, tournamentId: null },
});
export const price = (quantity: number) => ({
  ...{ item: 'tournament.contestant', quantity, rate: '0.5', ratesVersion: '1' },
  amount: quantity * 500,
});
/** With the champion `theta` where none is named. */
export const started = (over: Partial<TournamentStarted['data']> = {}): TournamentStarted['data'] => ({
  ...{ tournamentId: 'trm_1', goalId: 'goa_1', trigger: 'manual' },
  contest: {
    ...{ target: 'orders', stepS: 3_600, timezone: 'UTC', horizon: 12 },
    ...{ quantiles: [0.1, 0.5, 0.9], metric: 'crps' },
  },
  ...{ folds: 5, asOf: NOW, seed: 7, budget: null, owner: 'usr_1' },
  contestants: [
    contestant('seasonal_naive'),
    contestant('theta', { roles: ['champion'] }),
    contestant('ets'),
  ],
  championBefore: champion('theta'),
  price: price(3),
  ...over,
});
export const began = (over: Partial<TournamentBegan['data']> = {}): TournamentBegan['data'] => ({
  ...{ tournamentId: 'trm_1', weighing: 0, cutoffs: [1, 2, 3, 4, 5], steps: 12, period: 24 },
  read: { key: 'orders', of: null, revision: 3, asOf: NOW, from: 0, points: 200, hash: '0123456789abcdef' },
  ...over,
});
export const scored = (
  method: LocalMethod,
  losses: readonly (number | null)[],
  coverage80 = 0.8,
): ContestantScored['data'] => {
  const told = losses.filter(loss => loss !== null);
  const score = told.reduce((sum, loss) => sum + loss, 0) / told.length;
  return {
    ...{ tournamentId: 'trm_1', contestantId: `con_${method}`, model: { kind: 'local', method } },
    ...{ score, interval: [score - 0.1, score + 0.1], weighing: 1, losses, coverage80 },
    metrics: { crps: score, mase: 1, smape: 10, mae: 2, pinball: score / 2 },
    ...{ ljungBoxP: null, fitS: 0.1, predictMs: 3 },
  };
};
export const failed = (method: LocalMethod, over: { disqualified?: boolean; isPassing?: boolean } = {}) => ({
  ...{ tournamentId: 'trm_1', contestantId: `con_${method}`, code: 'gone', message: 'it is gone' },
  ...{ disqualified: false, isPassing: false, ...over },
});

/** Facts of one tournament, told by what is asked of it. */
export class History {
  state: TournamentState = tournaments.initialState;
  facts: Fact<TournamentFact>[] = [];

  does(command: TournamentCommand): readonly TournamentFact[] {
    const facts = tournaments.decide(command, this.state);
    const stored = facts.map(
      (fact, i) => ({ ...fact, at: NOW, id: `${this.facts.length + i}` }) as Fact<TournamentFact>,
    );
    this.state = fold(tournaments, this.state, stored as Fact[]);
    this.facts.push(...stored);
    return facts;
  }
  get known(): KnownTournament {
    if (this.state.status === 'none') throw new Error('there is none');
    return this.state;
  }
}
/** One whose folds are cut. */
export function running(over: Partial<TournamentStarted['data']> = {}): History {
  const history = new History();
  history.does({ type: 'StartTournament', data: { workspace: 'w', ...started(over) } });
  history.does({ type: 'BeginTournament', data: { workspace: 'w', ...began() } });
  return history;
}
/** One after which the champion `theta` keeps its place, in which `mstl_ets` played its part. */
export function playedByOther(): History {
  const contestants = [
    contestant('seasonal_naive'),
    contestant('mstl_ets', { roles: ['champion'] }),
    contestant('ets'),
  ];
  const history = running({ contestants });
  history.does(score('seasonal_naive', [2, 2, 2]));
  history.does(score('mstl_ets', [1, 1, 1]));
  history.does(score('ets', [1.5, 1.4, 1.6]));
  history.does(judgeNow);
  return history;
}
export const judgeNow = { type: 'JudgeTournament', data: { ...of, at: NOW } } as const;
export const score = (...args: Parameters<typeof scored>): TournamentCommand => ({
  type: 'ScoreContestant',
  data: { workspace: 'w', ...scored(...args) },
});
export const fail = (...args: Parameters<typeof failed>): TournamentCommand => ({
  type: 'FailContestant',
  data: { workspace: 'w', ...failed(...args) },
});
