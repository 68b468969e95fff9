import { normalLowerTail } from './distributions.js';
import { dot } from './columns.js';
import { nestedFits } from './regression.js';
import { standardised, type Standard } from './series.js';

/** A series counts as stationary when the unit root is rejected at this level. */
export const STATIONARITY_LEVEL = 0.05;

export type UnitRootTest = {
  /** t of the lagged level: the further below 0, the more stationary. */
  readonly statistic: number;
  readonly p: number;
  /** Lagged differences in the regression, and its rows. */
  readonly lags: number;
  readonly rows: number;
};

/**
 * The augmented Dickey-Fuller test (Said and Dickey 1984) with a constant: is there a unit root (null
 * hypothesis), or is the series stationary? Lags from 0 to ceil(12 (n / 100)^(1/4)) (Schwert 1989), at most n
 * / 2 - 2, by Akaike's criterion over common rows; p by MacKinnon's response surface (1994). As `adfuller` of
 * statsmodels does it by default. The series is finite. null where there is nothing to test: fewer than 4
 * numbers, constant, or one that its own past foretells without error, as a straight line.
 */
export function augmentedDickeyFuller(series: Float64Array): UnitRootTest | null {
  const standard = standardised(series);
  return standard && unitRootTest(standard);
}

/** The same of a series that has been made ready. */
export function unitRootTest({ values, noise }: Standard): UnitRootTest | null {
  const most = Math.min(Math.floor(values.length / 2) - 2, Math.ceil(12 * (values.length / 100) ** 0.25));
  const floor = noise * noise * dot(values, 0, values, 0, values.length);
  const lags = most < 0 ? null : lagsByAic(values, most, floor);
  if (lags === null) return null;
  const { constant, level, lagged, change } = design(values, lags);
  const { rss, rank, effects } = nestedFits([constant, ...lagged, level], change);
  const last = lags + 2;
  const degrees = change.length - rank[last]!;
  if (degrees < 1 || rss[last]! <= floor) return null;
  const statistic = effects[last - 1]! / Math.sqrt(rss[last]! / degrees);
  return { statistic, p: mackinnonP(statistic), lags, rows: change.length };
}

/** Whether a unit root is rejected; not so where there is nothing to test. */
export const isStationary = (series: Standard): boolean =>
  (unitRootTest(series)?.p ?? 1) <= STATIONARITY_LEVEL;

/**
 * The number of lags with the smallest n ln(rss / n) + 2 k, the smaller of equals; null when a fit leaves
 * `floor` or less.
 */
function lagsByAic(values: Float64Array, most: number, floor: number): number | null {
  const { constant, level, lagged, change } = design(values, most);
  const { rss, rank } = nestedFits([constant, level, ...lagged], change);
  const rows = change.length;
  if (rss[most + 2]! <= floor) return null;
  let best = 0;
  let least = Infinity;
  for (let lags = 0; lags <= most; lags++) {
    const aic = rows * Math.log(rss[lags + 2]! / rows) + 2 * rank[lags + 2]!;
    if (aic < least) {
      best = lags;
      least = aic;
    }
  }
  return best;
}

/** Columns of the regression of x[t] - x[t - 1] on 1, x[t - 1] and `lags` earlier differences. */
function design(values: Float64Array, lags: number) {
  const change = values.slice(1).map((x, i) => x - values[i]!);
  const rows = change.length - lags;
  return {
    constant: new Float64Array(rows).fill(1),
    level: values.slice(lags, lags + rows),
    lagged: Array.from({ length: lags }, (_, j) => change.slice(lags - 1 - j, lags - 1 - j + rows)),
    change: change.slice(lags),
  };
}

/**
 * The p value of a Dickey-Fuller t with a constant, by the polynomials of MacKinnon (1994), "Approximate
 * asymptotic distribution functions for unit-root and cointegration tests", Journal of Business & Economic
 * Statistics 12, table 3.
 */
export function mackinnonP(t: number): number {
  if (t > 2.74) return 1;
  if (t < -18.83) return 0;
  return normalLowerTail(
    t <= -1.61
      ? 2.1659 + t * (1.4412 + t * 0.038269)
      : 1.7339 + t * (0.93202 + t * (-0.12745 + t * -0.010368)),
  );
}
