import { tTwoSided } from './distributions.js';

/** `mean` of the differences, the statistic in its small-sample form, and its two-sided p. */
export type DieboldMariano = { readonly mean: number; readonly statistic: number; readonly p: number };

/**
 * Whether two forecasts lose alike: the test of Diebold and Mariano (1995, "Comparing predictive accuracy"),
 * corrected for small samples as Harvey, Leybourne and Newbold did (1997, "Testing the equality of prediction
 * mean squared errors"), against Student's t with n - 1 degrees of freedom. `differences` are the losses of
 * one less those of the other, in order of time; forecasts go `ahead` steps of these, so that differences
 * fewer than `ahead` apart may be alike. Where their long-run variance comes out below 0, that without lags
 * stands for it (as `dm.test` of R's package forecast does). Null with fewer than 2 differences, or not more
 * than `ahead`, or where all are the same but 0; p is 1 where all are 0.
 */
export function dieboldMariano(differences: ArrayLike<number>, ahead = 1): DieboldMariano | null {
  const d = Float64Array.from(differences);
  const n = d.length;
  if (n < 2 || n <= ahead) return null;
  const mean = d.reduce((sum, x) => sum + x, 0) / n;
  const autocovariance = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += (d[t]! - mean) * (d[t - lag]! - mean);
    return sum / n;
  };
  const own = autocovariance(0);
  // Differences that are all alike leave nothing but rounding
  if (own <= (1e-12 * mean) ** 2) return mean === 0 ? { mean, statistic: 0, p: 1 } : null;
  let longRun = own;
  for (let lag = 1; lag < ahead; lag++) longRun += 2 * autocovariance(lag);
  const isBelow = longRun <= 0;
  const steps = isBelow ? 1 : ahead;
  const corrected = (n + 1 - 2 * steps + (steps * (steps - 1)) / n) / n;
  const statistic = (mean / Math.sqrt((isBelow ? own : longRun) / n)) * Math.sqrt(corrected);
  return { mean, statistic, p: tTwoSided(statistic, n - 1) };
}
