import { fixed, months, monthsOfLength } from '../maths/series/grid.js';
import type { Columns } from '../signals/points.js';
import { parseTime } from '../time.js';
import { faulty } from './faults.js';
import type { InferenceSeries } from './forecasting.js';
import { evenly, gridded } from './gridded.js';
import { isWithinTime, timeOfStep } from './steps.js';

/** A series in a request: `start`, `step_s` and `values`, or `points`; checked by the schema of the body. */
export type GivenSeries = {
  readonly id?: string | undefined;
  readonly start?: string | number | undefined;
  readonly step_s?: number | undefined;
  /** Steps are so many calendar months; absent: of `step_s`, as all were before there were months. */
  readonly step_months?: number | undefined;
  readonly values?: readonly (number | null)[] | undefined;
  readonly points?: readonly (readonly (string | number | null)[])[] | undefined;
};

/** What is read of a request's series, how much there was, and the time of its last value. */
export type Given = { readonly series: InferenceSeries; readonly count: number; readonly cutoff: number };

/** As it is taken in: on calendar months where `step_s` is as long as those are on average. */
export function takenIn({ step_months: _, ...given }: GivenSeries): GivenSeries {
  const count = monthsOfLength((given.step_s ?? 0) * 1_000);
  return count ? { ...given, step_months: count } : given;
}

export const MOST_SERIES = 100;
export const MOST_NUMBERS = 500_000;

/**
 * The series of a request on even steps, of each the newest `most` steps.
 * @throws Rejected 422 that names the place
 */
export function givenSeries(all: readonly GivenSeries[], most: number): Given[] {
  const ids = new Set<string>();
  let numbers = 0;
  return all.map((given, index) => {
    const id = given.id ?? String(index);
    if (ids.has(id))
      throw faulty(['series', index, 'id'], 'duplicate', `'${id}' is the id of another series`);
    ids.add(id);
    numbers += given.values?.length ?? given.points?.length ?? 0;
    if (numbers > MOST_NUMBERS)
      throw faulty(['series'], 'too_long', `must have at most ${MOST_NUMBERS} numbers in all`);
    if ((given.values === undefined) === (given.points === undefined))
      throw faulty(['series', index], 'missing', 'must have either values or points');
    return given.points ? timed(id, given, given.points, index, most) : even(id, given, index);
  });
}

function even(id: string, { start, step_s, step_months, values = [] }: GivenSeries, index: number): Given {
  const at = start === undefined ? null : parseTime(start);
  if (at === null) throw faulty(['series', index, 'start'], 'time', 'must be the time of the first value');
  if (step_s === undefined)
    throw faulty(['series', index, 'step_s'], 'missing', 'must be the seconds from one value to the next');
  const series = evenly(id, { start: at, stepMs: step_s * 1_000, stepMonths: step_months, values });
  if (!isWithinTime(series, values.length))
    throw faulty(['series', index], 'time', 'must end before the year 10000');
  const last = values.findLastIndex(value => value !== null);
  return { series, count: values.length, cutoff: timeOfStep(series, Math.max(0, last)) };
}

function timed(
  id: string,
  { step_s: stepS, step_months: count }: GivenSeries,
  points: NonNullable<GivenSeries['points']>,
  index: number,
  most: number,
): Given {
  const known: [time: number, value: number][] = [];
  points.forEach(([given, value], place) => {
    const time = typeof given === 'string' || typeof given === 'number' ? parseTime(given) : null;
    if (time === null || (typeof value !== 'number' && value !== null))
      throw faulty(['series', index, 'points', place], 'point', 'must be [time, number or null]');
    if (value !== null) known.push([time, value]);
  });
  known.sort(([a], [b]) => a - b);
  const columns: Columns = { times: known.map(([time]) => time), values: known.map(([, value]) => value) };
  const twice = columns.times.findIndex((time, i) => time === columns.times[i - 1]);
  if (twice >= 0)
    throw faulty(
      ['series', index, 'points'],
      'duplicate',
      `has two points at ${new Date(columns.times[twice]!).toISOString()}`,
    );
  const step = count ? months(count) : fixed((stepS ?? 0) * 1_000);
  return fromPoints(id, columns, { most, ...(stepS !== undefined && { step }) });
}

/** Points in order of time, none twice; there may be none. */
export function fromPoints(id: string, columns: Columns, options: Parameters<typeof gridded>[2]): Given {
  const count = columns.times.length;
  if (count === 0) return { series: evenly(id, { start: 0, stepMs: 1, values: [] }), count: 0, cutoff: 0 };
  return { series: gridded(id, columns, options), count, cutoff: columns.times.at(-1)! };
}
