import type { GoneSignal } from '../../projections/signals/gone.js';
import type { SignalRevisionDoc } from '../../projections/signals/documents.js';
import type { Pair, TimeRange } from './points-read.js';

/** Points of a signal that has gone, of a range of time, in its order. */
export function pointsGone(
  { points }: GoneSignal,
  { from, to, descending }: TimeRange,
  count: number,
): Pair[] {
  const all = points.times.flatMap((time, i): Pair[] =>
    time >= from && time <= to ? [[time, points.values[i]!]] : [],
  );
  return (descending ? all.reverse() : all).slice(0, count);
}

/** Its replacements that touch a range of time, in the order of this, from one on. */
export async function* replacementsGone(
  { replaced }: GoneSignal,
  { from, to, descending }: TimeRange,
  first: number | null,
): AsyncGenerator<SignalRevisionDoc[]> {
  const isBehind = ({ revision }: SignalRevisionDoc) =>
    first === null || (descending ? revision <= first : revision >= first);
  const some = replaced.filter(each => each.from <= to && each.to >= from && isBehind(each));
  yield descending ? some.reverse() : some;
}
