import { nextMean } from '../../domain/maths/series/series.js';
import { unpacked } from '../../domain/signals/points.js';
import type { PointsLeaf, SignalSketchDoc } from './documents.js';

/** A leaf in short. */
export function sketchOf({
  tree,
  from,
  points,
  recorded,
  known_since,
}: PointsLeaf): Omit<SignalSketchDoc, '_id'> {
  const { times, values } = unpacked(points);
  const end = times.length - 1;
  let low = 0;
  let high = 0;
  let mean = 0;
  for (const [i, value] of values.entries()) {
    if (value < values[low]!) low = i;
    if (value > values[high]!) high = i;
    mean = nextMean(mean, value, i + 1);
  }
  const pair = (i: number) => [times[i]!, values[i]!] as const;
  return {
    tree,
    from,
    to: times[end]!,
    ...(known_since !== undefined && { known_since }),
    recorded_until: recorded.reduce((last, [, at]) => Math.max(last, at), -Infinity),
    count: times.length,
    mean,
    first: pair(0),
    last: pair(end),
    low: pair(low),
    high: pair(high),
  };
}
