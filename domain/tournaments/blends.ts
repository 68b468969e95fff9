import type { Ensemble, SingleModel } from '../goals/model.js';
import type { Blend } from './facts.js';
import type { ContestantState } from './state.js';

/** How many members each has: the best ones. */
const MEMBERS: Readonly<Record<Blend, number>> = { mean_of_2: 2, mean_of_3: 3, inverse_loss: 5 };

export const BLEND_NAMES: Readonly<Record<Blend, string>> = {
  mean_of_2: 'mean of the best 2',
  mean_of_3: 'mean of the best 3',
  inverse_loss: 'weighted by inverse loss',
};

/** A contestant that may be a member: its losses, `weighing` first, in the order of folds. */
export type Member = {
  readonly contestantId: string;
  readonly model: SingleModel;
  readonly losses: readonly (number | null)[];
};

/** Who was scored and is no blend itself. */
export const membersOf = (contestants: readonly ContestantState[]): readonly Member[] =>
  contestants.flatMap(({ scored }) => {
    if (!scored || scored.model.kind === 'ensemble') return [];
    const { contestantId, model, weighing, losses } = scored;
    return [{ contestantId, model, losses: [weighing, ...losses] }];
  });

/**
 * What a blend is after the first `known` folds (that which weighs is the first): the best members by their
 * mean loss over these alone, of equal weight, or of weights that are inverse to it. Null with too few
 * members.
 */
export function blendOf(blend: Blend, members: readonly Member[], known: number): Ensemble | null {
  const judged = members
    .flatMap(({ contestantId, model, losses }) => {
      const told = losses.slice(0, known).filter(loss => loss !== null);
      const loss = told.reduce((sum, each) => sum + each, 0) / told.length;
      return Number.isNaN(loss) ? [] : [{ contestantId, model, loss }];
    })
    .sort((a, b) => a.loss - b.loss || (a.contestantId < b.contestantId ? -1 : 1));
  const best = judged.slice(0, MEMBERS[blend]);
  const least = blend === 'inverse_loss' ? 2 : MEMBERS[blend];
  if (best.length < least) return null;
  const isEqual = blend !== 'inverse_loss' || best[0]!.loss === 0;
  const weights = best.map(({ loss }) => (isEqual ? 1 : 1 / loss));
  const sum = weights.reduce((all, weight) => all + weight, 0);
  return {
    kind: 'ensemble',
    members: best.map(({ model }, i) => ({ model, weight: weights[i]! / sum })),
  };
}
