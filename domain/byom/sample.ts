import { seeded } from '../maths/seeded.js';

/** Windows of a sample that a model is tried on, at most. */
const MOST_WINDOWS = 20;
const SEASON = 12;
const LEVEL = 100;
const SEED = 1;

/** A series to try models on: a level, a season of 12 steps, a slow trend and noise; the same each time. */
export function madeSeries(length: number): Float64Array {
  const uniform = seeded(SEED);
  let noise = 0;
  return Float64Array.from({ length }, (_, i) => {
    noise = 0.6 * noise + 2 * (uniform() + uniform() + uniform() - 1.5);
    return LEVEL + 10 * Math.sin((2 * Math.PI * i) / SEASON) + 0.01 * i + noise;
  });
}
export const MADE_PERIOD = SEASON;

/** Where forecasts may begin so that all their steps are known, oldest first; [] where nowhere. */
export function originsOf(series: Float64Array, lookback: number, horizon: number): number[] {
  const last = series.length - horizon;
  const first = Math.min(lookback, Math.max(1, last));
  if (last < first) return [];
  const count = Math.min(MOST_WINDOWS, last - first + 1);
  const gap = Math.max(1, Math.floor((last - first) / count));
  const origins = Array.from({ length: count }, (_, i) => last - i * gap).reverse();
  return origins.filter(origin =>
    series.subarray(Math.max(0, origin - lookback), origin).some(Number.isFinite),
  );
}

/** The same window in other forms, which no model that looks at it forecasts all alike. */
export function othersThan(window: Float64Array): Float64Array[] {
  const { length } = window;
  const known = window.filter(Number.isFinite);
  const [low, high] = [Math.min(...ends(known)), Math.max(...ends(known))];
  const by = high - low || Math.abs(high) || 1;
  return [
    window.slice().reverse(),
    Float64Array.from({ length }, (_, i) => low + (by * i) / length),
    Float64Array.from({ length }, (_, i) => high - (by * i) / length),
    Float64Array.from({ length }, (_, i) => low + by * (i % 2)),
    window.map(value => 2 * value + by),
  ];
}

function ends(values: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [low, high];
}
