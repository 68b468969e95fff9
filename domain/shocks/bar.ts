import { quantile } from '../maths/series/quantile.js';
import { DAY } from '../time.js';
import type { EpisodeGrade } from './facts.js';

/** A stream's events so long before the one that is judged say what is important in it. */
export const BAR_LOOKS_BACK = 180 * DAY;
const LEAST = 0.6;
const HIGH = 0.9;
/** A learned bar stays between these. */
const BOUNDS = [0.5, 0.95] as const;
const RAISED = 0.05;
const LOWERED = 0.02;

/** What is added to a learned bar stays where that may matter. */
const MOST_LEARNED = [BOUNDS[0] - 1, BOUNDS[1] - LEAST] as const;
const within = (x: number, [low, high]: readonly [number, number]): number =>
  Math.max(low, Math.min(high, x));

/**
 * How important an event must be. `given`: by the goal's option, which holds as it is; `before`: importance
 * of the stream's earlier events; `learned`: what episodes taught.
 */
export function barOf(given: number | null, before: readonly number[], learned = 0): number {
  if (given !== null) return given;
  const high =
    before.length > 0
      ? quantile(
          [...before].sort((a, b) => a - b),
          HIGH,
        )
      : 0;
  return within(Math.max(LEAST, high) + learned, BOUNDS);
}

/** No event below it reaches the bar, whatever its stream had before. */
export const leastBarOf = (given: number | null, learned = 0): number => barOf(given, [], learned);

/** Whether the champion alone would have done better. */
export const wasLost = ({ blendLoss, championLoss }: EpisodeGrade): boolean =>
  blendLoss !== null && championLoss !== null && blendLoss > championLoss;

/** What is learned of a bar after an episode: it was too low where the champion alone did better. */
export function learnedAfter(learned: number, grade: EpisodeGrade): number {
  if (grade.blendLoss === grade.championLoss) return learned;
  return within(learned + (wasLost(grade) ? RAISED : -LOWERED), MOST_LEARNED);
}
