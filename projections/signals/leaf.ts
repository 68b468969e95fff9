import { firstAtOrAfter, lastTime, packed, runsOf, unpacked, valuesOf, type Columns, type Points, type Runs } from '../../domain/signals/points.js';
import type { Leaf } from '../leaves.js';
import type { Divided, Part } from '../trees.js';

/** Points of a signal, and when each was recorded (epoch ms). */
export type PointsLeaf = Leaf & { readonly points: Points; readonly recorded: Runs };
type Body = { readonly points: Points; readonly recorded: Runs };

/** A leaf holds so many points at most, where nothing else is said: about 20 kB. */
export const LEAF_POINTS = 1_000;

type Entries = { readonly times: number[]; readonly values: number[]; readonly recorded: number[] };

/** The leaf with points set in it, divided when it overflows: full leaves where points come in order, even halves where they do not. */
export function withPoints(
  leaf: PointsLeaf | null, points: Points, at: number, { start, end, last }: Part, capacity: number,
): Divided<PointsLeaf> {
  const { times, values } = unpacked(points);
  const given: Columns = { times: times.slice(start, end), values: values.slice(start, end) };
  const appends = last && (!leaf || given.times[0]! > lastTime(leaf.points));
  const entries = merged(leaf ? entriesOf(leaf) : { times: [], values: [], recorded: [] }, given, at);
  const [stays, ...goes] = divided(entries, appends, capacity);
  return { stays: bodyOf(stays!), goes: goes.map(part => ({ from: part.times[0]!, body: bodyOf(part) })) };
}

const bodyOf = ({ times, values, recorded }: Entries): Body => ({ points: packed({ times, values }), recorded: runsOf(recorded) });

/** What counts of a leaf: nothing from `next` on. */
export function entriesOf({ points, recorded, next }: PointsLeaf): Entries {
  const { times, values } = unpacked(points), at = valuesOf(recorded);
  const end = next === null ? times.length : firstAtOrAfter(times, next);
  return { times: times.slice(0, end), values: values.slice(0, end), recorded: at.slice(0, end) };
}

/** Both in order of time; what is given takes the place of what was there. */
function merged(there: Entries, given: Columns, at: number): Entries {
  const first = firstAtOrAfter(there.times, given.times[0]!);
  const made: Entries = { times: there.times.slice(0, first), values: there.values.slice(0, first), recorded: there.recorded.slice(0, first) };
  let i = first;
  for (let k = 0; k < given.times.length; k++) {
    const time = given.times[k]!;
    for (; i < there.times.length && there.times[i]! < time; i++) put(made, there.times[i]!, there.values[i]!, there.recorded[i]!);
    if (there.times[i] === time) i++;
    put(made, time, given.values[k]!, at);
  }
  for (; i < there.times.length; i++) put(made, there.times[i]!, there.values[i]!, there.recorded[i]!);
  return made;
}

function put({ times, values, recorded }: Entries, time: number, value: number, at: number): void {
  times.push(time);
  values.push(value);
  recorded.push(at);
}

function divided({ times, values, recorded }: Entries, appends: boolean, capacity: number): Entries[] {
  if (times.length <= capacity) return [{ times, values, recorded }];
  const parts = Math.ceil(times.length / capacity), size = appends ? capacity : Math.ceil(times.length / parts);
  return Array.from({ length: parts }, (_, n) => {
    const cut = (column: number[]): number[] => column.slice(n * size, (n + 1) * size);
    return { times: cut(times), values: cut(values), recorded: cut(recorded) };
  });
}
