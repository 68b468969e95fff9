import { scalesOf } from '../inference/grade.js';
import type { FoldLosses } from './comparison.js';
import type { FoldForecast, TrainingMetric } from './ports.js';

/** The score is the root of the mean of what is lost. */
export const isRootOf = (metric: TrainingMetric): boolean => metric === 'rmsse';

/**
 * What two models lost by fold and step, in the terms whose mean is the score by a metric: sums over the
 * series that both forecast. NaN where nothing came.
 */
export function lossesOf(
  candidate: readonly FoldForecast[],
  against: readonly FoldForecast[],
  metric: TrainingMetric,
  period: number,
): FoldLosses[] {
  const folds = [...new Set(candidate.map(({ fold }) => fold))].sort((a, b) => a - b);
  return folds.map(fold => {
    const own = candidate.filter(made => made.fold === fold);
    const others = new Map(
      against.filter(made => made.fold === fold).map(made => [made.entity, made] as const),
    );
    const both = own.filter(({ entity }) => others.has(entity));
    return {
      candidate: summed(both, metric, period),
      against: summed(
        both.map(({ entity }) => others.get(entity)!),
        metric,
        period,
      ),
    };
  });
}

function summed(made: readonly FoldForecast[], metric: TrainingMetric, period: number): Float64Array {
  const steps = made.reduce((most, { actual }) => Math.max(most, actual.length), 0);
  const sums = new Float64Array(steps).fill(NaN);
  for (const one of made) {
    const lossAt = lossOf(one, metric, period);
    one.actual.forEach((y, h) => {
      const loss = Number.isFinite(y) ? lossAt(y, h) : NaN;
      if (Number.isFinite(loss)) sums[h] = (Number.isNaN(sums[h]!) ? 0 : sums[h]!) + loss;
    });
  }
  return sums;
}

const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

function lossOf(
  { forecast: { mean, quantiles }, history }: FoldForecast,
  metric: TrainingMetric,
  period: number,
): (y: number, h: number) => number {
  const { seasonal, squaredChange } = scalesOf(history, period);
  const deciles = quantiles.filter(({ level }) => DECILES.some(each => Math.abs(each - level) < 1e-9));
  const losses: Readonly<Record<TrainingMetric, (y: number, h: number) => number>> = {
    mase: (y, h) => Math.abs(y - mean[h]!) / seasonal,
    rmsse: (y, h) => (y - mean[h]!) ** 2 / squaredChange,
    mae: (y, h) => Math.abs(y - mean[h]!),
    smape: (y, h) =>
      y === mean[h]! ? 0 : (200 * Math.abs(y - mean[h]!)) / (Math.abs(y) + Math.abs(mean[h]!)),
    crps: (y, h) =>
      deciles.reduce((sum, { level, values }) => {
        const miss = y - values[h]!;
        return sum + (2 * Math.max(level * miss, (level - 1) * miss)) / deciles.length;
      }, 0),
  };
  return losses[metric];
}
