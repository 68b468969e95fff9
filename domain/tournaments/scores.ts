import type { Champion } from '../goals/model.js';
import type { GoalMetric } from '../goals/settings.js';
import type { ContestantState, KnownTournament } from './state.js';

/**
 * The score in a metric of who forecasts a goal after a tournament; null: it was not judged by that. `known`:
 * champions as the goal has them, for one that was judged elsewhere; where that was by another metric, and it
 * defended its place here, it is the one of who played its part.
 */
export function scoreIn(
  { started, contestants }: Pick<KnownTournament, 'started' | 'contestants'>,
  champion: Champion,
  metric: GoalMetric,
  known: readonly (Champion | null)[],
): number | null {
  const scoreOf = (one: ContestantState | undefined): number | null =>
    (metric === started.contest.metric ? one?.scored?.score : one?.scored?.metrics[metric]) ?? null;
  if (champion.tournamentId !== started.tournamentId) {
    const before = known.find(one => one !== null && isSame(one, champion))?.score ?? null;
    const { championBefore } = started;
    if (before !== null || !championBefore || !isSame(championBefore, champion)) return before;
    return scoreOf(contestants.find(({ contestant }) => contestant.roles.includes('champion')));
  }
  if (metric === started.contest.metric) return champion.score;
  const model = JSON.stringify(champion.model);
  return scoreOf(contestants.find(({ scored }) => JSON.stringify(scored?.model) === model));
}

/** Whether two are one, whatever their scores say. */
export const isSame = (one: Champion, other: Champion): boolean =>
  one.tournamentId === other.tournamentId && one.since === other.since;
