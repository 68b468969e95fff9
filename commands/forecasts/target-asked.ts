import { UNMOVED, widenedBy, type Adjustment, type Composed } from '../../domain/forecasts/composing.js';
import type { Candidate } from '../../domain/forecasts/order.js';
import { stepsAhead, stepsIn } from '../../domain/forecasts/steps.js';
import { onSteps } from '../../domain/forecasts/target.js';
import { NOTHING_TRACKED, widthsBy, type Tracker } from '../../domain/forecasts/tracker.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import { goalSteps, type GoalSteps } from '../../domain/goals/steps.js';
import { insufficient } from '../../domain/inference/history.js';
import type { Given } from '../../domain/inference/given.js';
import { timeOfStep } from '../../domain/inference/steps.js';
import { meanOf, type KeptForecast, type KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { Moves } from '../../domain/inference/moves.js';
import type { Columns } from '../../domain/signals/points.js';
import { movedBy, otherBy } from './moving.js';
import { wantedFor } from './wanted.js';

export type MovingDeps = {
  /** Whatever became of the model since. */
  readonly forecastBy: ForecastBy;
  /** What moves forecasts between model and calibration, in this order. */
  readonly adjustments: readonly Adjustment[];
  /** What a goal's forecasts were worth, as it is known; `asOf`: as it was then, epoch ms. */
  readonly record: (workspace: string, goalId: string, asOf: number | null) => Promise<Tracker>;
};

/** What of a goal an answer follows from besides what was read, and what moved it. */
export type Follows = Pick<Candidate, 'model' | 'name'> & {
  readonly horizon: number;
  /** The levels that were asked for. */
  readonly quantiles: readonly number[];
  readonly calibration: GoalSettings['options']['calibration'];
  /** Null: the request brought other series. */
  readonly target: Target | null;
};
type Target = Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone'> & {
  readonly scheduledEvents: boolean;
  /** When it was asked for, and as of when, epoch ms. */
  readonly at: number;
  readonly asOf: number | null;
  /** How many steps of it were read. */
  readonly steps: number;
};
type OnStepsOnce = Pick<Target, 'target' | 'stepS' | 'stepMonths' | 'timezone' | 'steps'>;
type Of = {
  readonly workspace: string;
  readonly goalId: string;
  readonly target: Target;
  readonly follows: Follows;
};

/** Points of a target that were read once, on its steps as they were. */
export function onStepsAgain(target: OnStepsOnce, points: Columns): Given {
  const found = onSteps(target, points, { most: target.steps, now: Infinity });
  if (!found) throw insufficient(target.target, 0);
  const { series, cutoff } = found;
  // Steps before the first point had none
  const empty = target.steps - series.values.length;
  const values = new Float64Array(target.steps).fill(NaN);
  values.set(series.values, empty);
  const start = timeOfStep(series, -empty);
  return { series: { ...series, start, values }, count: points.times.length, cutoff };
}

/**
 * A forecast of a goal's target, moved and widened as the goal's own are. `moves`: what moved it once, which
 * moves it once more.
 */
export async function movedAs(
  deps: MovingDeps,
  { workspace, goalId, target, follows }: Of,
  { levels, forecasts: [kept] }: KeptForecasts,
  { series, cutoff }: Given,
  moves: Moves | undefined,
): Promise<KeptForecasts> {
  const { scheduledEvents, at, asOf } = target;
  const { horizon, quantiles, calibration } = follows;
  const steps = goalSteps(target);
  const before: Composed = {
    times: stepsAhead(steps, cutoff, horizon),
    ...{ mean: meanOf(kept!, levels), levels, quantiles: kept!.quantiles },
    ...UNMOVED,
  };
  const wanted = wantedFor(horizon, levels, calibration);
  const other = otherBy(deps.forecastBy, workspace, follows.model, series, wanted);
  const making = { workspace, goalId, steps, scheduledEvents, series, at, asOf, other };
  const { moved, known } = await movedBy(deps.adjustments, making, before, moves?.known);
  const { coverage, n, ...tracker } = moves
    ? { ...NOTHING_TRACKED, ...moves.record }
    : await deps.record(workspace, goalId, asOf);
  const widened = moves?.widened ?? widthsBy(calibration === 'model' ? NOTHING_TRACKED : tracker, horizon);
  const made = widenedBy(moved, widened);
  const { appliedEvents, skippedEvents, carriedEvents, shock, scorerVersion } = made;
  return {
    levels: quantiles,
    forecasts: [{ ...keptAs(kept!, before, made, quantiles), ...timesOf(steps, kept!, made) }],
    moves: {
      ...{ appliedEvents, skippedEvents, carriedEvents, shock, widened, record: { coverage, n }, known },
      ...(scorerVersion !== undefined && { scorerVersion }),
    },
  };
}

/** At the levels that were asked for. */
function keptAs(
  kept: KeptForecast,
  before: Composed,
  { mean, levels, quantiles, shock }: Composed,
  asked: readonly number[],
): KeptForecast {
  const columns = asked.map(level => quantiles[levels.indexOf(level)]!);
  const isMedian = columns[asked.indexOf(0.5)]?.every((value, h) => value === mean[h]) ?? false;
  const points = mean.map((value, h) => value - before.mean[h]!);
  const part = { name: shock ? 'shock' : 'events', points };
  return {
    ...kept,
    ...{ holds: true, mean: isMedian ? null : mean, quantiles: columns },
    explanation: kept.explanation && {
      ...kept.explanation,
      components: [...kept.explanation.components, ...(points.some(value => value !== 0) ? [part] : [])],
    },
  };
}

/** When its steps begin; of months of a zone also when they end. */
function timesOf(
  steps: GoalSteps,
  { step }: KeptForecast,
  { times }: Composed,
): Pick<KeptForecast, 'start' | 'times'> {
  const start = times[0]!;
  if (steps.stepMonths) return { start, times: [...times, stepsIn(steps).next(times.at(-1)!)] };
  return times.every((time, h) => time === start + h * step.ms) ? { start } : { start, times };
}
