import { creditsNumber } from '../../domain/billing/amounts.js';
import type { Champion, GoalModel } from '../../domain/goals/model.js';
import { iso } from '../../domain/time.js';
import type { Contestant } from '../../domain/tournaments/facts.js';
import {
  isOpen,
  progressOf,
  type ContestantState,
  type KnownTournament,
} from '../../domain/tournaments/state.js';
import type { TournamentDoc } from '../../projections/tournaments/documents.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

export function modelView(model: GoalModel): Record<string, unknown> {
  if (model.kind === 'local') return { kind: model.kind, method: model.method };
  if (model.kind === 'ensemble') {
    const members = model.members.map(each => ({ model: modelView(each.model), weight: each.weight }));
    return { kind: model.kind, members };
  }
  const { family, slug, version } = model.model;
  return { kind: model.kind, promotion_id: model.promotionId, family, slug, version };
}

const championView = ({ model, name, score, since, tournamentId }: Champion) => ({
  promotion_id: model.kind === 'served' ? model.promotionId : null,
  ...{ model: modelView(model), name, score, since: iso(since), tournament_id: tournamentId },
});

function kindOf({ what }: Contestant): 'foundation' | 'deployment' | 'method' | 'ensemble' {
  if (what.kind === 'blend' || what.model.kind === 'ensemble') return 'ensemble';
  if (what.model.kind === 'local') return 'method';
  return what.model.promotionId === null ? 'foundation' : 'deployment';
}

/** What each that is paid costs. */
const eachCosts = ({ started: { price } }: KnownTournament): number =>
  price.quantity === 0 ? 0 : creditsNumber(price.amount / price.quantity);

function contestantView({ contestant, status, scored, failed }: ContestantState, each: number) {
  const { contestantId: contestant_id, name, what, roles, paid } = contestant;
  const model = scored?.model ?? (what.kind === 'model' ? what.model : null);
  return {
    ...{ contestant_id, name, kind: kindOf(contestant), status, roles },
    model: model && modelView(model),
    credits: paid && status !== 'failed' && status !== 'disqualified' ? each : 0,
    error: failed && { code: failed.code, message: failed.message },
  };
}

function leaderboardOf(state: KnownTournament) {
  const each = eachCosts(state);
  const ofId = new Map(state.contestants.map(one => [one.contestant.contestantId, one]));
  return state.standings.flatMap(({ contestantId, rank, skill, beatsChampion, p }) => {
    const one = ofId.get(contestantId);
    if (!one?.scored) return [];
    const { contestant, scored } = one;
    const { score, interval, coverage80, fitS, predictMs, losses, metrics, ljungBoxP } = scored;
    return [
      {
        ...{ rank, contestant_id: contestantId, name: contestant.name, kind: kindOf(contestant) },
        roles: contestant.roles,
        ...{ score, score_interval: interval, skill, coverage_80: coverage80, fit_s: Math.ceil(fitS) },
        ...{ predict_ms: predictMs, credits: contestant.paid ? each : 0, beats_champion: beatsChampion },
        ...{ p_value: p, losses, metrics, ljung_box_p: ljungBoxP },
      },
    ];
  });
}

export function tournamentView({ state }: TournamentDoc) {
  const { started, began, status, championAfter, runnerUp, decision, error, used } = state;
  const { tournamentId: tournament_id, goalId: goal_id, trigger, contest, folds, seed } = started;
  const each = eachCosts(state);
  const isOver = !isOpen(status);
  return {
    ...{
      tournament_id,
      goal_id,
      status,
      progress: progressOf(state),
      trigger,
      metric: contest.metric,
      folds,
    },
    cutoffs: (began?.cutoffs ?? []).map(iso),
    ...{ steps: began?.steps ?? null, horizon: contest.horizon, as_of: iso(started.asOf) },
    contestants: state.contestants.map(one => contestantView(one, each)),
    leaderboard: leaderboardOf(state),
    champion_before: started.championBefore && championView(started.championBefore),
    champion_after: championAfter && championView(championAfter),
    runner_up: runnerUp && championView(runnerUp),
    ...{ decision, budget_credits: started.budget, error },
    credits: creditsNumber(isOver ? (used?.amount ?? 0) : started.price.amount),
    started_at: iso(state.startedAt),
    finished_at: time(state.finishedAt),
    seed,
  };
}
