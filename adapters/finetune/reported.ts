import { knownBefore } from '../../domain/maths/forecasting/forecaster.js';
import { coverage, mase, seasonalScale, wql } from '../../domain/maths/forecasting/metrics/index.js';
import { medians, type QuantileForecast } from '../../domain/maths/forecasting/quantiles.js';
import type { TunedScores } from '../../domain/trainings/fine-tuning.js';
import type { TrainingSeries } from '../../domain/trainings/ports.js';
import type { TunedWindow } from '../../domain/maths/finetuning/windows.js';

/** The series that can be forecast from a time on. */
export const windowsAt = (series: readonly TrainingSeries[], time: number): readonly TunedWindow[] =>
  series.flatMap(({ times, columns }, s) => {
    const origin = times.findIndex(each => each >= time);
    return origin > 0 && knownBefore(columns[0]!, origin) ? [{ series: s, origin }] : [];
  });

/** How good forecasts from these windows were. */
export function scoresOf(
  series: readonly TrainingSeries[],
  periods: readonly number[],
  windows: readonly TunedWindow[],
  forecasts: readonly QuantileForecast[],
): TunedScores {
  const judged = windows.map(({ series: s, origin }, i) => {
    const values = series[s]!.columns[0]!;
    const forecast = forecasts[i]!;
    const actual = values.subarray(origin, origin + forecast.horizon);
    return { actual, forecast, scale: seasonalScale(values.subarray(0, origin), periods[s]!) };
  });
  return {
    wql: meanOf([wql(judged)]),
    mase: meanOf(judged.map(({ actual, forecast, scale }) => mase(actual, medians(forecast), scale))),
    coverage: meanOf(judged.map(({ actual, forecast }) => coverage(actual, forecast))),
  };
}

/** Of those that there are. */
function meanOf(values: readonly number[]): number | null {
  const known = values.filter(Number.isFinite);
  return known.length === 0 ? null : known.reduce((sum, x) => sum + x, 0) / known.length;
}
