import type { ForecastBy, Replaced, TargetOf } from '../../domain/goals/ports.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import { periodOf } from '../../domain/maths/forecasting/period.js';
import { Rejected } from '../../domain/rejected.js';
import type { Affected } from '../../domain/revisions/causes.js';
import type { GoalRevised } from '../../domain/revisions/facts.js';
import { changedSteps, isOutOfReach, windowsOf } from '../../domain/revisions/rescoring.js';
import { SECOND } from '../../domain/time.js';
import type { Fold } from '../../domain/tournaments/folds.js';
import { DECILES } from '../../domain/tournaments/losses.js';
import { scoreOf } from '../../domain/tournaments/scoring.js';

export type RescoringDeps = {
  readonly targetOf: TargetOf;
  readonly forecastBy: ForecastBy;
  readonly replaced: Replaced;
};

export type Scores = Pick<GoalRevised['data'], 'scoreBefore' | 'scoreAfter' | 'rescored' | 'notScored'> & {
  /** Steps of the target that changed. */ readonly steps: number;
};
type Asked = {
  readonly workspace: string;
  readonly goal: LiveGoal;
  readonly affected: Affected;
  /** What was recorded until then was known before, epoch ms. */
  readonly knownBefore: number;
  /** Now, epoch ms. */
  readonly now: number;
  readonly seed: number;
};

/** The newest steps that a forecast is made from; and how far back a change may lie to be scored. */
const HISTORY = 2_048;
const MOST_STEPS = 12_000;

const notScored = (why: string, steps = 0): Scores => ({
  ...{ scoreBefore: null, scoreAfter: null, rescored: null, notScored: why, steps },
});

/**
 * How the champion does on the window of a goal's history that changed: the same past moments, forecast and
 * judged by what was known before, and by what is known now.
 * @throws Rejected `unavailable` where the champion is not served just now
 */
export async function rescore(deps: RescoringDeps, asked: Asked, signal: AbortSignal): Promise<Scores> {
  const { workspace, goal, affected, seed } = asked;
  const { settings, champion } = goal;
  const { horizon, metric, options } = settings;
  const known = await histories(deps, asked);
  if (known instanceof Rejected) return notScored(known.code);
  const steps = changedSteps(known, affected, settings);
  if (!champion) return notScored('no_champion', steps);
  if (isOutOfReach(known.after, affected, settings)) return notScored('out_of_reach', steps);
  const windows = windowsOf(known, affected, settings);
  if (!windows) return notScored('insufficient_history', steps);
  const { before, after } = windows;
  const first = after[0]!.known;
  const period = first.period ?? periodOf(first.values, first.step);
  const levels = [...new Set([...DECILES, ...options.quantiles])].sort((a, b) => a - b);
  const { model, name } = await deps.replaced(workspace, champion);
  const scored = async (folds: readonly Fold[]): Promise<number | null> => {
    const forecasts = await deps.forecastBy(
      workspace,
      model,
      folds.map(fold => fold.known),
      { horizon, levels, fill: 'linear', explain: false, lookback: HISTORY },
      signal,
    );
    return scoreIn(forecasts, folds, { metric, quantiles: options.quantiles, period, seed });
  };
  try {
    const scoreAfter = await scored(after);
    const scoreBefore = before === after ? scoreAfter : before && (await scored(before));
    const cutoffs = after.slice(1).map(({ cutoff }) => cutoff);
    const rescored = { metric, model: name, cutoffs, steps: after[0]!.actual.length };
    return { scoreBefore, scoreAfter, rescored, notScored: null, steps };
  } catch (error) {
    if (error instanceof Rejected && error.kind !== 'unavailable') return notScored(error.code, steps);
    throw error;
  }
}

const scoreIn = (
  forecasts: readonly SeriesForecasted[],
  folds: readonly Fold[],
  asked: Parameters<typeof scoreOf>[2],
): number | null => scoreOf(forecasts, folds, asked)?.score ?? null;

/** The target as it was known before, and now; the same where nothing of it changed. */
async function histories({ targetOf }: RescoringDeps, asked: Asked) {
  const { workspace, goal, affected, knownBefore, now } = asked;
  const { settings } = goal;
  const since = Math.ceil((now - affected.from) / (settings.stepS * SECOND));
  const most = Math.min(MOST_STEPS, Math.max(0, since) + HISTORY);
  try {
    const after = (await targetOf(workspace, settings, { asOf: null, most })).series;
    if (!affected.signals.includes(settings.target)) return { before: after, after };
    const before = await targetOf(workspace, settings, { asOf: knownBefore, most });
    return { before: before.series, after };
  } catch (error) {
    if (error instanceof Rejected) return error;
    throw error;
  }
}
