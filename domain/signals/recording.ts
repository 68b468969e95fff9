import type { RecordPoints } from './commands.js';
import type { PointsRecorded, PointsRevised } from './facts.js';
import { pointsAt, type KnownPoints } from './known-points.js';
import { packed, runsOf, type Columns } from './points.js';
import type { SignalState } from './state.js';

/** Points of one fact at most, so that pages of facts stay small. */
export const MAX_POINTS = 1_000;

type PointsFact = PointsRecorded | PointsRevised;
type NewPoints = { times: number[]; values: number[] };
type RevisedPoints = NewPoints & { was: number[]; since: number[] };
type Compared = { readonly added: Columns; readonly revised: RevisedPoints };

const noneRevised = (): RevisedPoints => ({ times: [], values: [], was: [], since: [] });

/** What is new becomes `PointsRecorded`, what differs `PointsRevised`, what is the same nothing. */
export function record({ data }: RecordPoints, state: SignalState): readonly PointsFact[] {
  const { key, origin, now } = data;
  const known = pointsAt(state, data.times);
  if (data.keepKnown) return recorded(key, unknown(data, known), origin);
  const all = rounds(data, known);
  const allNew = known.size === 0 && all.length === 1;
  return all.flatMap((round): PointsFact[] => {
    const { added, revised } = allNew
      ? { added: round, revised: noneRevised() }
      : compared(round, known, now);
    const corrected = pieces(revised).map(
      (points): PointsFact => ({
        type: 'PointsRevised',
        data: { key, points: packed(points), was: points.was, since: runsOf(points.since), origin },
      }),
    );
    return [...recorded(key, added, origin), ...corrected];
  });
}

const recorded = (key: string, points: Columns, origin: PointsRecorded['data']['origin']): PointsRecorded[] =>
  pieces(points).map(piece => ({
    type: 'PointsRecorded',
    data: { key, points: packed(piece), origin },
  }));

/** The first values at times that have none, in order of time. */
function unknown({ times, values }: Columns, known: KnownPoints): Columns {
  const first = new Map<number, number>();
  for (const [i, time] of times.entries())
    if (!known.has(time) && !first.has(time)) first.set(time, values[i]!);
  const sorted = [...first].sort(([a], [b]) => a - b);
  return { times: sorted.map(([time]) => time), values: sorted.map(([, value]) => value) };
}

/** Sorts points into new and revised ones, and enters them among those known. */
function compared({ times, values }: Columns, known: KnownPoints, now: number): Compared {
  const added: NewPoints = { times: [], values: [] };
  const revised = noneRevised();
  for (const [i, time] of times.entries()) {
    const value = values[i]!;
    const before = known.get(time);
    if (before?.value === value) continue;
    known.set(time, { value, at: now });
    const points = before ? revised : added;
    points.times.push(time);
    points.values.push(value);
    if (!before) continue;
    revised.was.push(before.value);
    revised.since.push(before.at);
  }
  return { added, revised };
}

/**
 * The points in order of time. Where a time repeats, its second value belongs to a second round, and so on;
 * but not where it ends at the value that is known, so that the same push again is nothing.
 */
function rounds({ times, values }: Columns, known: KnownPoints): readonly Columns[] {
  if (times.every((time, i) => i === 0 || time > times[i - 1]!)) return [{ times, values }];
  const made: NewPoints[] = [];
  const order = [...times.keys()].sort((a, b) => times[a]! - times[b]! || a - b);
  const ends = new Map(times.map((time, i) => [time, values[i]!]));
  let round = 0;
  for (const [nth, i] of order.entries()) {
    const time = times[i]!;
    if (known.get(time)?.value === ends.get(time)) continue;
    round = nth > 0 && time === times[order[nth - 1]!] ? round + 1 : 0;
    const points = made[round] ?? { times: [], values: [] };
    made[round] = points;
    points.times.push(time);
    points.values.push(values[i]!);
  }
  return made;
}

/** Parts of at most `MAX_POINTS`; all columns are cut alike. */
function pieces<C extends Columns>(columns: C): C[] {
  const { length } = columns.times;
  if (length <= MAX_POINTS) return length === 0 ? [] : [columns];
  return Array.from({ length: Math.ceil(length / MAX_POINTS) }, (_, n) => {
    const part = Object.entries<readonly number[]>(columns).map(([name, column]) => [
      name,
      column.slice(n * MAX_POINTS, (n + 1) * MAX_POINTS),
    ]);
    return Object.fromEntries(part) as C;
  });
}

/** The points a push led to; the rest of it was known already. */
export const pointsIn = (
  facts: readonly { readonly type: string; readonly data: unknown }[],
): { recorded: number; revised: number } => {
  const count = (type: string): number =>
    facts
      .filter(fact => fact.type === type)
      .reduce((sum, { data }) => sum + (data as PointsRecorded['data']).points.values.length, 0);
  return { recorded: count('PointsRecorded'), revised: count('PointsRevised') };
};
