import { chiSquaredUpperTail } from './distributions.js';

/** `lags` that were looked at, the statistic Q, and the probability of one as large by chance. */
export type LjungBox = { readonly lags: number; readonly statistic: number; readonly p: number };

/**
 * Whether residuals are free of autocorrelation up to a lag: the test of Ljung and Box (1978, "On a measure
 * of lack of fit in time series models"). Null where there are no more residuals than lags, or all are the
 * same.
 */
export function ljungBox(residuals: ArrayLike<number>, lags: number): LjungBox | null {
  const x = Float64Array.from(residuals);
  const n = x.length;
  if (lags < 1 || n <= lags) return null;
  const mean = x.reduce((sum, each) => sum + each, 0) / n;
  const product = (lag: number): number => {
    let sum = 0;
    for (let t = lag; t < n; t++) sum += (x[t]! - mean) * (x[t - lag]! - mean);
    return sum;
  };
  const own = product(0);
  if (!(own > 0)) return null;
  let sum = 0;
  for (let lag = 1; lag <= lags; lag++) sum += (product(lag) / own) ** 2 / (n - lag);
  const statistic = n * (n + 2) * sum;
  return { lags, statistic, p: chiSquaredUpperTail(statistic, lags) };
}
