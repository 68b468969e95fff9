import type { GoalActualsCame } from './facts.js';

/**
 * How wide a goal's bands must be by its own record: for each step ahead the logarithm of the factor on all
 * distances from the median; null where no forecast so far ahead was graded yet.
 */
export type Tracker = {
  readonly logs: readonly (number | null)[];
  /** The share of actuals inside the 80% band, of the last hundred or so; null: none was graded. */
  readonly coverage: number | null;
  /** How many were graded, over all steps ahead. */
  readonly n: number;
};
export const NOTHING_TRACKED: Tracker = { logs: [], coverage: null, n: 0 };

export const LEVEL = 0.8;
/** How fast the width follows: a miss widens by 4%, a hit narrows by 1%. */
const RATE = 0.05;
/** Bands become at most so many times wider or narrower. */
const MOST_LOG = Math.log(16);
const RECENT = 100;

/**
 * The quantile tracker of Angelopoulos, Candes and Tibshirani (2023), "Conformal PID control for time series
 * prediction", equation 3, on the logarithm of the width and for each step ahead by itself: after each actual
 * it grows by the rate times (1 where the actual lay outside of the 80% band, else 0) less .2. Whatever the
 * series does, the share outside comes to 20% in the long run: (1/T) sum(outside) - .2 is the change of the
 * logarithm over the rate and T, and the logarithm is bounded. Adaptive conformal inference (Gibbs and Candes
 * 2021) moves the level instead and needs a window of past scores to turn it into a width; this needs one
 * number for each step ahead, and acts at once where the level would be at its end.
 */
export function tracked(tracker: Tracker, steps: GoalActualsCame['data']['steps']): Tracker {
  const logs = [...tracker.logs];
  let { n } = tracker;
  let coverage = tracker.coverage ?? 0;
  for (const { leads, scores } of steps)
    leads.forEach((lead, i) => {
      const isInside = Math.abs(scores[i]!) <= 1;
      const before = logAt(logs, lead);
      while (logs.length < lead) logs.push(null);
      const moved = before + RATE * (Number(!isInside) - (1 - LEVEL));
      logs[lead - 1] = Math.max(-MOST_LOG, Math.min(MOST_LOG, moved));
      n++;
      coverage += (Number(isInside) - coverage) / Math.min(n, RECENT);
    });
  return { logs, coverage: n > 0 ? coverage : null, n };
}

/** The factors of the widths of `horizon` steps ahead. */
export const widthsBy = ({ logs }: Pick<Tracker, 'logs'>, horizon: number): number[] =>
  Array.from({ length: horizon }, (_, h) => Math.exp(logAt(logs, h + 1)));

/** Of a step ahead that was never graded: that of the nearest before it which was. */
function logAt(logs: Tracker['logs'], lead: number): number {
  for (let h = Math.min(lead, logs.length); h >= 1; h--) if (logs[h - 1] !== null) return logs[h - 1]!;
  return 0;
}
