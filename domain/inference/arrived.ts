import { startOfStep } from '../maths/series/grid.js';
import type { Columns } from '../signals/points.js';
import type { AwaitedTimes } from './facts.js';
import { gradeOf, type Grade } from './grade.js';
import { meanOf, timeIn, type KeptForecast } from './kept-forecast.js';

/**
 * When the forecasts of an inference may be graded. A step whose points are averaged counts once a point has
 * come behind it.
 */
export function awaitedTimes(forecasts: readonly KeptForecast[]): AwaitedTimes {
  const spans = forecasts.map(spanOf);
  const lastSteps = forecasts.map(forecast =>
    borderOf(forecast, forecast.quantiles[0]!.length - (forecast.holds ? 0 : 1)),
  );
  const behind = forecasts.map((forecast, i) => spans[i]!.to + (forecast.holds ? forecast.step.ms : 0));
  const max = (times: readonly number[]) => times.reduce((latest, time) => Math.max(latest, time));
  return {
    until: lastSteps.reduce((first, time) => Math.min(first, time)),
    ends: max(behind),
    over: max(spans.map(({ from, to }) => to + (to - from))),
  };
}

/** From when to when points lie in the steps of a forecast, epoch ms; `to` is not included. */
export const spanOf = (forecast: KeptForecast): { readonly from: number; readonly to: number } => ({
  from: borderOf(forecast, 0),
  to: borderOf(forecast, forecast.quantiles[0]!.length),
});

/**
 * The actual of each step, NaN where there is none: of points (in order of time) the last one of the step. A
 * forecast that is called by the beginnings of steps has them begin there; one by another place (each day at
 * 14:30), or of a signal whose points come a little early, takes each point to the nearest. Of a step that
 * holds its points it is their mean.
 */
export function actualsOf(forecast: KeptForecast, { times, values }: Columns): Float64Array {
  const actuals = new Float64Array(forecast.quantiles[0]!.length).fill(NaN);
  const counts = new Uint32Array(actuals.length);
  let step = 0;
  for (const [i, time] of times.entries()) {
    if (time < borderOf(forecast, 0)) continue;
    while (step < actuals.length && time >= borderOf(forecast, step + 1)) step++;
    if (step === actuals.length) break;
    const before = counts[step]!++;
    actuals[step] = forecast.holds && before > 0 ? actuals[step]! + values[i]! : values[i]!;
  }
  return forecast.holds ? actuals.map((sum, h) => sum / counts[h]!) : actuals;
}

function borderOf(forecast: KeptForecast, h: number): number {
  const { start, step, nearest, holds } = forecast;
  const time = timeIn(forecast, h);
  const isBeginning = holds || step.months || (!nearest && startOfStep(start, step) === start);
  return isBeginning ? time : time - Math.floor(step.ms / 2);
}

/** How good a forecast was by what came. Metrics: docs/forecasting.md. */
export const keptGrade = (forecast: KeptForecast, levels: readonly number[], actuals: Float64Array): Grade =>
  gradeOf(
    {
      mean: Float64Array.from(meanOf(forecast, levels)),
      quantiles: forecast.quantiles.map((column, k) => ({
        level: levels[k]!,
        values: Float64Array.from(column),
      })),
    },
    actuals,
    { seasonal: forecast.scales.seasonal ?? NaN, squaredChange: forecast.scales.squaredChange ?? NaN },
  );
