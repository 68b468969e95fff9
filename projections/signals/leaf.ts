import { firstFrom } from '../../domain/maths/series/series.js';
import {
  lastTime,
  packed,
  runsOf,
  unpacked,
  valuesOf,
  type Columns,
  type Points,
} from '../../domain/signals/points.js';
import { EARLIEST } from '../../domain/time.js';
import type { Divided, Part } from '../engine/trees.js';
import type { PointsLeaf } from './documents.js';

type Body = Pick<PointsLeaf, 'points' | 'recorded' | 'known_since'>;

/** A leaf holds so many points at most, where nothing else is said: about 20 kB. */
export const LEAF_POINTS = 1_000;

/** A leaf to which few points at a time are added is full at this part of what it could hold. */
const GROWING = 1 / 4;
/** So many of them must still go into it, that a push counts as one of few points. */
const PUSHES = 8;

/**
 * How many points a leaf takes behind its last one. With each push the leaf is written anew: where few points
 * come at a time, a small one costs less than that there are more of them.
 */
function closedAt(count: number, capacity: number): number {
  const small = Math.floor(capacity * GROWING);
  return count * PUSHES <= small ? small : capacity;
}

type Entries = {
  readonly times: readonly number[];
  readonly values: readonly number[];
  readonly recorded: readonly number[];
};

/**
 * A leaf with points set in it, divided when it overflows: full leaves where points come in order, even parts
 * where they do not.
 */
export function withPoints(
  leaf: PointsLeaf | null,
  points: Points,
  at: number,
  part: Part,
  capacity: number,
): Divided<PointsLeaf> {
  const { start, end, next } = part;
  if (next === null && end - start === points.values.length && fillsOne(leaf, points, capacity))
    return asOne(leaf, points, at);
  const { times, values } = unpacked(points);
  const given = { times: times.slice(start, end), values: values.slice(start, end) };
  if (next === null && (!leaf || given.times[0]! > lastTime(leaf.points)))
    return appended(leaf, given, at, closedAt(given.times.length, capacity));
  const entries = merged(leaf ? entriesOf(leaf, next) : NONE, given, at);
  const [stays, ...goes] = cut(
    entries,
    Math.ceil(entries.times.length / Math.ceil(entries.times.length / capacity)),
  );
  const since = earlier(leaf, at);
  return { stays: bodyOf(stays!, since), goes: goes.map(part => beginning(part, since)) };
}

const NONE: Entries = { times: [], values: [], recorded: [] };

/** Whether points go on behind a leaf that is full, or make the first, and one leaf holds them all. */
const fillsOne = (leaf: PointsLeaf | null, { from, values }: Points, capacity: number): boolean =>
  values.length <= capacity
  && (!leaf || (leaf.points.values.length >= capacity && from > lastTime(leaf.points)));

/** Most long pushes: their points make a leaf as they came, without a copy. */
function asOne(leaf: PointsLeaf | null, points: Points, at: number): Divided<PointsLeaf> {
  const body: Body = { points, recorded: [[points.values.length, at]], known_since: at };
  return leaf ? { stays: null, goes: [{ from: points.from, body }] } : { stays: body, goes: [] };
}

/** The leaf is filled up, the rest goes into new ones; a full leaf is not touched. */
function appended(
  leaf: PointsLeaf | null,
  { times, values }: Columns,
  at: number,
  capacity: number,
): Divided<PointsLeaf> {
  const room = capacity - (leaf?.points.values.length ?? 0);
  const given = { times, values, recorded: times.map(() => at) };
  if (leaf && room <= 0) return { stays: null, goes: cut(given, capacity).map(part => beginning(part, at)) };
  const there = leaf ? entriesOf(leaf, null) : NONE;
  const [fits, ...rest] = [slice(given, 0, room), ...cut(slice(given, room, Infinity), capacity)];
  return {
    stays: bodyOf(joined(there, fits!), earlier(leaf, at)),
    goes: rest.map(part => beginning(part, at)),
  };
}

/** Since when something of a leaf may be known, with points added at a time. One that does not say: ever. */
const earlier = (leaf: PointsLeaf | null, at: number): number =>
  leaf ? Math.min(leaf.known_since ?? EARLIEST, at) : at;

const beginning = (entries: Entries, since: number) => ({
  from: entries.times[0]!,
  body: bodyOf(entries, since),
});
const bodyOf = ({ times, values, recorded }: Entries, since: number): Body => ({
  points: packed({ times, values }),
  recorded: runsOf(recorded),
  known_since: since,
});

/** The points that count of a leaf: none from the next one on. */
export function pointsOf({ points }: PointsLeaf, next: number | null): Columns {
  const { times, values } = unpacked(points);
  const end = next === null ? times.length : firstFrom(times, next);
  return end === times.length
    ? { times, values }
    : { times: times.slice(0, end), values: values.slice(0, end) };
}

/** The same with when each was recorded. */
export function entriesOf(leaf: PointsLeaf, next: number | null): Entries {
  const { times, values } = pointsOf(leaf, next);
  const since = valuesOf(leaf.recorded);
  return { times, values, recorded: since.length === times.length ? since : since.slice(0, times.length) };
}

/** Those at some times (strictly increasing), where there are any. */
export function entriesAt({ times, values, recorded }: Entries, asked: readonly number[]): Entries {
  const found = asked.map(time => firstFrom(times, time)).filter((i, n) => times[i] === asked[n]);
  return {
    times: found.map(i => times[i]!),
    values: found.map(i => values[i]!),
    recorded: found.map(i => recorded[i]!),
  };
}

const slice = ({ times, values, recorded }: Entries, start: number, end: number): Entries => ({
  times: times.slice(start, end),
  values: values.slice(start, end),
  recorded: recorded.slice(start, end),
});

const joined = (a: Entries, b: Entries): Entries => ({
  times: a.times.concat(b.times),
  values: a.values.concat(b.values),
  recorded: a.recorded.concat(b.recorded),
});

/** Parts of so many entries. */
const cut = (entries: Entries, size: number): Entries[] =>
  Array.from({ length: Math.ceil(entries.times.length / size) }, (_, n) =>
    slice(entries, n * size, (n + 1) * size),
  );

/** Both in order of time; what is given takes the place of what was there. */
function merged(there: Entries, given: Columns, at: number): Entries {
  const made = { times: [] as number[], values: [] as number[], recorded: [] as number[] };
  const put = (time: number, value: number, since: number): void => {
    made.times.push(time);
    made.values.push(value);
    made.recorded.push(since);
  };
  let i = 0;
  for (const [k, time] of given.times.entries()) {
    for (; i < there.times.length && there.times[i]! < time; i++)
      put(there.times[i]!, there.values[i]!, there.recorded[i]!);
    if (there.times[i] === time) i++;
    put(time, given.values[k]!, at);
  }
  for (; i < there.times.length; i++) put(there.times[i]!, there.values[i]!, there.recorded[i]!);
  return made;
}
