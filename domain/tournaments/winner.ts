import type { GoalModel } from '../goals/model.js';
import { isChampionAfter, type KnownTournament } from './state.js';

/** Who a tournament says is best, beside seasonal naive. */
export type Winner = {
  readonly model: GoalModel;
  readonly name: string;
  readonly score: number;
  readonly baselineScore: number;
  /** How many had a score. */
  readonly compared: number;
};

/** The champion after a tournament, where it was judged there and lost less than seasonal naive. */
export function winnerOf(tournament: KnownTournament): Winner | null {
  const scored = tournament.contestants.flatMap(one => (one.scored ? [{ ...one, scored: one.scored }] : []));
  const winner = scored.find(one => isChampionAfter(tournament, one));
  const baseline = scored.find(({ contestant }) => contestant.roles.includes('baseline'));
  if (!winner || !baseline || !(winner.scored.score < baseline.scored.score)) return null;
  return {
    ...{ model: winner.scored.model, name: winner.contestant.name, score: winner.scored.score },
    ...{ baselineScore: baseline.scored.score, compared: scored.length },
  };
}
