import type { Champion } from '../goals/model.js';
import type { GoalMetric } from '../goals/settings.js';
import type { KnownTournament } from './state.js';

/**
 * The score in a metric of who forecasts a goal after a tournament; null: it was not judged by that. `known`:
 * champions as the goal has them, for one that was judged elsewhere.
 */
export function scoreIn(
  { started, contestants }: Pick<KnownTournament, 'started' | 'contestants'>,
  champion: Champion,
  metric: GoalMetric,
  known: readonly (Champion | null)[],
): number | null {
  if (champion.tournamentId !== started.tournamentId)
    return known.find(one => one !== null && isSame(one, champion))?.score ?? null;
  if (metric === started.contest.metric) return champion.score;
  const model = JSON.stringify(champion.model);
  const found = contestants.find(({ scored }) => JSON.stringify(scored?.model) === model);
  return found?.scored?.metrics[metric] ?? null;
}

const isSame = (one: Champion, other: Champion): boolean =>
  one.tournamentId === other.tournamentId && one.since === other.since;
