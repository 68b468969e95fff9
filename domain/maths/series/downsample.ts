import { firstFrom, type Series } from './series.js';

/**
 * Points kept of each bucket: the first, the last, the lowest and the highest, so that no spike is hidden.
 */
const KEPT = 4;

/**
 * At most `maxPoints` points of a series, in order of time. A longer series is cut into maxPoints / 4 buckets
 * of equal time, and of each the first, the last, the lowest and the highest point stay (the earliest of
 * equals). Below four points of room there is one bucket, and the last, the first, the highest point stay in
 * this order of importance.
 */
export function downsample(series: Series, maxPoints: number): Series {
  const { times, values } = series;
  if (times.length <= maxPoints) return series;
  if (maxPoints < 1) return { times: [], values: [] };
  const kept = keptOf(series, maxPoints);
  return { times: kept.map(i => times[i]!), values: kept.map(i => values[i]!) };
}

/** The indexes of the points that stay, in order of time. */
function keptOf(series: Series, maxPoints: number): number[] {
  if (maxPoints < KEPT) return byTime(extremes(series, 0, series.times.length).slice(0, maxPoints));
  const buckets = bounds(series, Math.floor(maxPoints / KEPT));
  return buckets.flatMap(([from, to]) => byTime(extremes(series, from, to)));
}

/** Where the buckets that have points begin and end, as indexes. */
function bounds({ times }: Series, buckets: number): [from: number, to: number][] {
  const first = times[0]!;
  const span = times[times.length - 1]! - first;
  const edges = Array.from({ length: buckets }, (_, k) => firstFrom(times, first + span * (k / buckets)));
  return edges
    .map((from, k): [number, number] => [from, edges[k + 1] ?? times.length])
    .filter(([from, to]) => from < to);
}

/** The indexes of the last, the first, the highest and the lowest point of a bucket. */
function extremes({ values }: Series, from: number, to: number): number[] {
  let low = from;
  let high = from;
  for (let i = from + 1; i < to; i++) {
    if (values[i]! < values[low]!) low = i;
    if (values[i]! > values[high]!) high = i;
  }
  return [to - 1, from, high, low];
}

const byTime = (indexes: readonly number[]): number[] => [...new Set(indexes)].sort((a, b) => a - b);
