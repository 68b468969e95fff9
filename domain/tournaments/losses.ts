import type { GoalMetric } from '../goals/settings.js';
import type { SeriesForecasted } from '../inference/forecasting.js';
import { scalesOf } from '../inference/grade.js';
import type { Fold } from './folds.js';

export const DECILES: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const SAME = 1e-9;

/** What is lost at a step, by metric. */
type LossAt = (y: number, step: number) => number;
type Of = {
  readonly forecast: Pick<SeriesForecasted, 'mean' | 'quantiles'>;
  readonly fold: Fold;
  /** Steps of the season that MASE is scaled by. */
  readonly period: number;
  /** Levels that pinball is the mean of. */
  readonly levels: readonly number[];
};

/**
 * What a forecast lost at each step of a fold, by each metric; NaN where nothing came. `crps` is twice the
 * pinball loss over the nine deciles, `pinball` the pinball loss over the goal's own levels, `mase` the
 * absolute error over that of seasonal naive within what was known, `smape` 0 to 200.
 */
export function lossesOf(of: Of): Readonly<Record<GoalMetric, Float64Array>> {
  const { mean, quantiles } = of.forecast;
  const { seasonal } = scalesOf(of.fold.known.values, of.period);
  const pinball =
    (levels: readonly number[]): LossAt =>
    (y, step) => {
      let sum = 0;
      for (const wanted of levels) {
        const { values } = quantiles.find(({ level }) => Math.abs(level - wanted) < SAME)!;
        const miss = y - values[step]!;
        sum += Math.max(wanted * miss, (wanted - 1) * miss);
      }
      return sum / levels.length;
    };
  const miss: LossAt = (y, step) => Math.abs(y - mean[step]!);
  const ofDeciles = pinball(DECILES);
  const at: Readonly<Record<GoalMetric, LossAt>> = {
    crps: (y, step) => 2 * ofDeciles(y, step),
    mase: (y, step) => miss(y, step) / seasonal,
    smape: (y, step) =>
      y === mean[step]! ? 0 : (200 * miss(y, step)) / (Math.abs(y) + Math.abs(mean[step]!)),
    mae: miss,
    pinball: pinball(of.levels),
  };
  const column = (lossAt: LossAt): Float64Array =>
    of.fold.actual.map((y, step) => (Number.isNaN(y) ? NaN : lossAt(y, step)));
  return {
    crps: column(at.crps),
    mase: column(at.mase),
    smape: column(at.smape),
    mae: column(at.mae),
    pinball: column(at.pinball),
  };
}
