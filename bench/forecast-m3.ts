import type { Score } from './forecast-scores.js';

/**
 * The symmetric MAPE of M3: the mean of 200 |y - f| / (y + f) over all forecasts of all series, by frequency
 * and in all (Makridakis and Hibon 2000, "The M3-Competition: results, conclusions and implications",
 * International Journal of Forecasting 16, 451-476). The competitors' numbers are counted from their own
 * forecasts (`M3Forecast` of R's package Mcomp) against the same actuals with this formula. The paper itself
 * says 13.01 in all for Theta, 13.19 for ForecastPro, 13.49 for ForecastX and 14.01 for B-J automatic: what
 * is counted lies within 0.05 of it.
 */
export const M3_FREQUENCIES = ['yearly', 'quarterly', 'monthly', 'other'] as const;

export const M3_SERIES = 3003;

/** yearly, quarterly, monthly, other, all. */
export const M3_COMPETITORS: Readonly<Record<string, readonly number[]>> = {
  Theta: [16.97, 8.96, 13.89, 4.41, 13.05],
  ForecastPro: [17.27, 9.82, 13.9, 4.6, 13.23],
  ForecastX: [16.48, 9.54, 14.47, 4.64, 13.5],
  'Comb S-H-D': [17.07, 9.22, 14.47, 4.56, 13.51],
  Dampen: [17.36, 9.36, 14.58, 4.61, 13.64],
  RBF: [16.42, 9.57, 14.76, 5.6, 13.74],
  'B-J automatic': [17.73, 10.26, 14.8, 5.06, 13.99],
  'Automat ANN': [18.57, 10.2, 15.03, 4.8, 14.23],
  Single: [17.82, 9.72, 15.3, 6.29, 14.31],
  Holt: [20.02, 10.94, 15.79, 4.81, 15.03],
  Naive2: [17.88, 9.95, 16.89, 6.3, 15.46],
};

/** The same five of a method's scores on M3, weighed as there: each step of each forecast counts once. */
export function m3Line(scores: readonly Score[]): number[] {
  const groups: readonly (string | null)[] = [...M3_FREQUENCIES, null];
  return groups.map(freq => {
    const own = scores.filter(({ window }) => window.set === 'm3' && (freq === null || window.freq === freq));
    const steps = own.reduce((sum, { window }) => sum + window.horizon, 0);
    return own.reduce((sum, { window, smape }) => sum + smape * window.horizon, 0) / steps;
  });
}
