import type { Push } from '../../commands/signals.js';
import { Rejected } from '../../domain/rejected.js';
import { ALIAS } from '../../domain/signals/aliases.js';
import { parseTime } from '../../domain/time.js';
import { notValid, type Fault } from '../edge/errors.js';

export type Given = {
  readonly key?: unknown;
  readonly value?: unknown;
  readonly timestamp?: unknown;
  readonly entity?: unknown;
  readonly unit?: unknown;
  readonly points?: readonly unknown[];
  readonly values?: readonly unknown[];
};
export type PointError = {
  readonly index: number;
  readonly field: string;
  readonly code: string;
  readonly message: string;
};
/** The points that may be recorded, by key; and what was wrong with the others. */
export type Reading = {
  readonly pushes: readonly Push[];
  readonly errors: readonly PointError[];
  readonly total: number;
};

const KEY_LENGTH = 200;
const UNIT_LENGTH = 40;
const CONTROL = /[\u0000-\u001f\u007f]/;

type Wrong = Omit<PointError, 'index'>;
const wrong = (field: string, message: string, code = 'validation_error'): Wrong => ({
  field,
  code,
  message,
});
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

function pointIn(
  point: unknown,
  now: number,
): Wrong | { key: string; time: number; value: number; unit: string | null } {
  if (typeof point !== 'object' || point === null || Array.isArray(point))
    return wrong('', 'must be an object');
  const given = point as Given;
  const key = keyIn(given);
  const unit = unitIn(given.unit);
  if (typeof key !== 'string') return key;
  if (unit !== null && typeof unit !== 'string') return unit;
  if (!isValue(given.value)) return wrong('value', 'must be a finite number');
  const time = given.timestamp === undefined || given.timestamp === null ? now : timeIn(given.timestamp);
  return time === null ? wrong('timestamp', TIME) : { key, time, value: given.value, unit };
}

const TIME = 'must be epoch seconds, epoch milliseconds or an ISO 8601 time';
// JSON has no infinity, but 1e999 reads as one
const isValue = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const timeIn = (given: unknown): number | null =>
  typeof given === 'number' || typeof given === 'string' ? parseTime(given) : null;

function readColumns(body: Given, pairs: readonly unknown[]): Reading {
  const loc: Loc = index => ['body', 'values', index];
  const key = keyIn(body);
  const unit = unitIn(body.unit);
  for (const part of [key, unit])
    if (part !== null && typeof part !== 'string') throw notValid([fault(['body'], part)]);
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

/** `<base>__<entity>` where an entity is named. */
function keyIn({ key: base, entity }: Given): string | Wrong {
  if (typeof base !== 'string' || base === '') return wrong('key', "is required: the signal's name");
  if (entity !== undefined && entity !== null && (typeof entity !== 'string' || entity === ''))
    return wrong('entity', 'must be a text');
  const key = typeof entity === 'string' ? `${base}__${entity}` : base;
  if (key.length > KEY_LENGTH || CONTROL.test(key))
    return wrong('key', `must be 1 to ${KEY_LENGTH} characters, with its entity, and no control characters`);
  return key.startsWith(ALIAS)
    ? wrong('key', 'is a subscribed signal and read-only', 'signal_read_only')
    : key;
}

const unitIn = (unit: unknown): string | null | Wrong => {
  if (unit === undefined || unit === null || unit === '') return null;
  return typeof unit === 'string' && unit.length <= UNIT_LENGTH && !CONTROL.test(unit)
    ? unit
    : wrong('unit', `must be a text of up to ${UNIT_LENGTH} characters`);
};

/** One bad point never sinks the rest; when all are bad the request is. */
function whole(reading: Reading, loc: Loc): Reading {
  const { errors, total } = reading;
  const [first] = errors;
  if (errors.length < total || !first) return reading;
  if (errors.every(({ code }) => code === 'signal_read_only'))
    throw new Rejected('forbidden', first.code, `The signal ${first.message}`);
  throw notValid(errors.map(error => fault(loc(error.index), error)));
}

const fault = (loc: Fault['loc'], { field, code, message }: Wrong): Fault => ({
  loc: field === '' ? loc : [...loc, /^\d+$/.test(field) ? Number(field) : field],
  msg: message,
  type: code,
});
