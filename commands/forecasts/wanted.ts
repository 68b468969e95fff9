import { levelsFor } from '../../domain/forecasts/composing.js';
import type { GoalSettings } from '../../domain/goals/settings.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import type { ForecastWanted } from '../../domain/inference/forecasting.js';

/** The newest steps of a target that are read, at most. */
export const MOST_STEPS = 4_096;

/** What is asked of models for a goal's target. */
export const wantedFor = (
  horizon: number,
  levels: readonly number[],
  calibration: GoalSettings['options']['calibration'],
): ForecastWanted => ({
  horizon,
  levels,
  fill: 'linear',
  explain: false,
  lookback: MOST_STEPS,
  ...(calibration === 'model' && { bands: 'model' }),
});

/** For its own forecasts. */
export const wantedOf = ({ settings: { horizon, options } }: LiveGoal): ForecastWanted =>
  wantedFor(horizon, levelsFor(options.quantiles), options.calibration);
