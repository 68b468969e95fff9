/**
 * How good forecasts were. Actuals that are not finite are missing and left out; where none is left, and
 * where a scale is missing, a metric is NaN, and such a series is left out of means and tables (`relativeTo`
 * does so by itself). A forecast that is NaN where the actual is known makes the metric NaN: who does not
 * forecast is not helped by it. Actuals may end before the forecast does, not after it. Smaller is better,
 * but for coverage.
 */

export { mase, rmsse, seasonalScale, smape, squaredChange } from './points.js';
export {
  coverage,
  crps,
  crpsOfSample,
  meanIntervalScore,
  scaledWql,
  wql,
  type ForecastWithActual,
} from './quantiles.js';
export { relativeTo } from './relative.js';
