import type { Push } from '../../commands/signals.js';
import { Rejected } from '../../domain/rejected.js';
import { notValid, type Fault } from '../edge/errors.js';
import {
  type Given,
  type PointError,
  type Wrong,
  wrong,
  pointIn,
  TIME,
  isValue,
  timeIn,
  keyIn,
  unitIn,
} from './push-point.js';

/** The points that may be recorded, by key; and what was wrong with the others. */
export type Reading = {
  readonly pushes: readonly Push[];
  readonly errors: readonly PointError[];
  readonly total: number;
};

type Series = { times: number[]; values: number[]; unit: string | null };

/**
 * Reads one point, `points`, or `values` of one key. @throws Rejected 422 when none of these is there, or no
 * point is good
 */
export function readPush(body: Given, now: number): Reading {
  if (body.points !== undefined) return readPoints(body.points, now, index => ['body', 'points', index]);
  if (body.values !== undefined) return readColumns(body, body.values);
  return readPoints([body], now, () => ['body']);
}

type Loc = (index: number) => readonly (string | number)[];

function readPoints(points: readonly unknown[], now: number, loc: Loc): Reading {
  const byKey = new Map<string, Series>();
  const errors: PointError[] = [];
  for (const [index, point] of points.entries()) {
    const read = pointIn(point, now);
    if ('message' in read) errors.push({ index, ...read });
    else {
      const series = byKey.get(read.key) ?? { times: [], values: [], unit: null };
      byKey.set(read.key, series);
      series.times.push(read.time);
      series.values.push(read.value);
      series.unit = read.unit ?? series.unit;
    }
  }
  return whole(
    {
      pushes: [...byKey].map(([key, series]) => ({ key, ...series, origin: 'api' })),
      errors,
      total: points.length,
    },
    loc,
  );
}

function readColumns(body: Given, pairs: readonly unknown[]): Reading {
  const loc: Loc = index => ['body', 'values', index];
  const key = keyIn(body);
  const unit = unitIn(body.unit);
  for (const part of [key, unit])
    if (part !== null && typeof part !== 'string') throw refused([{ at: ['body'], error: part }]);
  const times: number[] = [];
  const values: number[] = [];
  const errors: PointError[] = [];
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index];
    const time = Array.isArray(pair) && pair.length === 2 ? timeIn(pair[0]) : undefined;
    const value: unknown = time === undefined ? undefined : (pair as unknown[])[1];
    if (time === undefined) errors.push({ index, ...wrong('', 'must be [time, value]') });
    else if (time === null) errors.push({ index, ...wrong('0', TIME) });
    else if (!isValue(value)) errors.push({ index, ...wrong('1', 'must be a finite number') });
    else {
      times.push(time);
      values.push(value);
    }
  }
  const pushes: Push[] =
    times.length === 0
      ? []
      : [{ key: key as string, times, values, unit: unit as string | null, origin: 'api' }];
  return whole({ pushes, errors, total: pairs.length }, loc);
}

/** One bad point never sinks the rest; when all are bad the request is. */
function whole(reading: Reading, loc: Loc): Reading {
  const { errors, total } = reading;
  if (errors.length < total || errors.length === 0) return reading;
  throw refused(errors.map(error => ({ at: loc(error.index), error })));
}

/** 403 where all is about signals that are read-only, else 422. */
function refused(all: readonly { readonly at: Fault['loc']; readonly error: Wrong }[]): Rejected {
  const [first] = all;
  return first && all.every(({ error }) => error.code === 'signal_read_only')
    ? new Rejected('forbidden', first.error.code, `The signal ${first.error.message}`)
    : notValid(all.map(({ at, error }) => fault(at, error)));
}

const fault = (loc: Fault['loc'], { field, code, message }: Wrong): Fault => ({
  loc: field === '' ? loc : [...loc, /^\d+$/.test(field) ? Number(field) : field],
  msg: message,
  type: code,
});
