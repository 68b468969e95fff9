import type { FoldForecast } from './ports.js';
import type { Report } from './report.js';

/** So many lags are told, an even number; of few residuals a tenth of their number. */
const LAGS = 10;

/**
 * What the forecasts left: actual less median. The autocorrelations are of the residuals in order of time,
 * each entity by itself, pooled over entities; where folds overlap each fold counts by itself. The test is
 * that of Ljung and Box (1978), over these lags; forecasts of several steps ahead share errors, so that a
 * small p is usual for them.
 */
export function residualsOf(made: readonly FoldForecast[]): Report['residuals'] {
  const runs = runsOf(made);
  const all = runs.flat().filter(Number.isFinite);
  const n = all.length;
  if (n === 0) return { mean: null, autocorrelation: [], ljung_box_p: null };
  const mean = all.reduce((sum, x) => sum + x, 0) / n;
  const lags = 2 * Math.min(LAGS / 2, Math.floor(n / 20));
  const variance = all.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  if (lags === 0 || !(variance > 0)) return { mean, autocorrelation: [], ljung_box_p: null };
  const autocorrelation = Array.from({ length: lags }, (_, i) => productsAt(runs, i + 1, mean) / variance);
  const q = n * (n + 2) * autocorrelation.reduce((sum, r, i) => sum + r ** 2 / Math.max(1, n - i - 1), 0);
  return { mean, autocorrelation, ljung_box_p: chiSquaredTail(q, lags) };
}

/** The residuals of each entity, one after the other as their folds come; NaN where there is no actual. */
function runsOf(made: readonly FoldForecast[]): number[][] {
  const runs = new Map<string | null, number[]>();
  for (const { entity, forecast, actual } of made) {
    const run = runs.get(entity) ?? [];
    actual.forEach((y, h) => run.push(y - forecast.mean[h]!));
    runs.set(entity, run);
  }
  return [...runs.values()];
}

function productsAt(runs: readonly (readonly number[])[], lag: number, mean: number): number {
  let sum = 0;
  for (const run of runs)
    for (let t = lag; t < run.length; t++) {
      const product = (run[t]! - mean) * (run[t - lag]! - mean);
      if (Number.isFinite(product)) sum += product;
    }
  return sum;
}

/** P(X > x) of the chi-squared distribution with an even number of degrees of freedom, a finite sum. */
function chiSquaredTail(x: number, degrees: number): number {
  let term = Math.exp(-x / 2);
  let sum = term;
  for (let k = 1; k < degrees / 2; k++) {
    term *= x / 2 / k;
    sum += term;
  }
  return Math.min(1, sum);
}
