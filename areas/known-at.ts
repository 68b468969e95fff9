import { knownRows } from '../api/known/rows.js';
import { area } from './area.js';
import { edgesThen } from './edges-then.js';
import { forecastsThen } from './forecasts-then.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { Kernel } from './kernel.js';

type On = { readonly goals: GoalsArea; readonly forecasts: ForecastsArea };

/** What was known, served and believed of goals at past moments. */
export const knownAtArea = (kernel: Kernel, { goals, forecasts }: On) => {
  const { latestThen, actualsThen } = forecastsThen(kernel);
  const { goalThen, beside } = goals;
  const { targetOf } = forecasts;
  return area({
    name: 'known-at',
    rows: knownRows({
      ...{ goalThen, beside, targetOf, latestThen, actualsThen },
      edgesThen: edgesThen(kernel).ofGoal,
      clock: kernel.clock,
    }),
  });
};
