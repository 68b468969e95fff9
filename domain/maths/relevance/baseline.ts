/** How much of the past the regressions look at; all numbers are steps. */
export type Plan = {
  readonly horizon: number;
  /** Lags of the target and of a key, counted from the horizon on. */
  readonly targetLags: number;
  readonly keyLags: number;
  /** null: there is none, or less than three of it. */
  readonly season: number | null;
  readonly harmonics: number;
};

const LEAST_SEASONS = 3;
/** What is left of values without their season is rounding up to this share of them. */
const SEASON_ROUNDING = 1e-10;

/**
 * What so many rows can bear: a lag of the target for 25 (1 to 6), of a key for 10 (3 to 24), a harmonic for
 * 30 (1 to 3).
 */
export const planFor = (rows: number, horizon: number, season: number | null): Plan => ({
  horizon,
  targetLags: clamp(Math.floor(rows / 25), 1, 6),
  keyLags: clamp(Math.floor(rows / 10), 3, 24),
  season: season !== null && season > 1 && rows >= LEAST_SEASONS * Math.max(season, horizon) ? season : null,
  harmonics: clamp(Math.floor(rows / 30), 1, 3),
});

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/**
 * The regressors of the baseline, one value for each step and NaN where the past does not reach back: a
 * constant, a trend, the target's lags from the horizon on, its value at the same place of the last whole
 * season that is known at the horizon (the seasonal-naive forecast), and harmonics of the season.
 */
export function baselineColumns(
  target: Float64Array,
  { horizon, targetLags, season, harmonics }: Plan,
): Float64Array[] {
  const n = target.length;
  const columns: Float64Array[] = [
    new Float64Array(n).fill(1),
    Float64Array.from({ length: n }, (_, t) => t / n - 0.5),
  ];
  for (let lag = horizon; lag < horizon + targetLags; lag++) columns.push(lagged(target, lag));
  if (season === null) return columns;
  const naive = season * Math.ceil(horizon / season);
  if (naive >= horizon + targetLags) columns.push(lagged(target, naive));
  return [...columns, ...waves(n, season, harmonics)];
}

/** The values `lag` steps before. */
export function lagged(values: Float64Array, lag: number): Float64Array {
  const earlier = new Float64Array(values.length).fill(NaN);
  if (lag < values.length) earlier.set(values.subarray(0, values.length - lag), lag);
  return earlier;
}

/**
 * Values without what all values at the same place of the season have in common (their mean): what a key
 * shares with the target only because both know the season is no news.
 */
export function withoutSeason(values: Float64Array, { season }: Plan): Float64Array {
  if (season === null) return values;
  const means = Array.from({ length: season }, (_, place) =>
    meanOf(values.filter((_, t) => t % season === place)),
  );
  const rest = values.map((value, t) => value - means[t % season]!);
  return largest(rest) > SEASON_ROUNDING * largest(values) ? rest : rest.map(value => value * 0);
}

const largest = (values: Float64Array): number =>
  values.reduce((most, x) => Math.max(most, Number.isNaN(x) ? 0 : Math.abs(x)), 0);

function meanOf(values: Float64Array): number {
  const present = values.filter(value => !Number.isNaN(value));
  return present.reduce((sum, value) => sum + value, 0) / present.length;
}

function waves(n: number, season: number, harmonics: number): Float64Array[] {
  const wave = (of: (x: number) => number, k: number) =>
    Float64Array.from({ length: n }, (_, t) => of((2 * Math.PI * k * (t % season)) / season));
  const orders = Array.from({ length: Math.min(harmonics, Math.floor(season / 2)) }, (_, i) => i + 1);
  // At half the season the sine is 0 at every step
  return orders.flatMap(k =>
    2 * k === season ? [wave(Math.cos, k)] : [wave(Math.cos, k), wave(Math.sin, k)],
  );
}
