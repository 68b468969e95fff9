import { isReserved } from '../../domain/aliases.js';
import { ALIAS } from '../../domain/signals/aliases.js';
import { parseTime } from '../../domain/time.js';

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

const KEY_LENGTH = 200;

const UNIT_LENGTH = 40;

const CONTROL = /[\u0000-\u001f\u007f]/;

export type Wrong = Omit<PointError, 'index'>;

export const wrong = (field: string, message: string, code = 'validation_error'): Wrong => ({
  field,
  code,
  message,
});

export function pointIn(
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

export const TIME = 'must be epoch seconds, epoch milliseconds or an ISO 8601 time';

// JSON has no infinity, but 1e999 reads as one
export const isValue = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

export const timeIn = (given: unknown): number | null =>
  typeof given === 'number' || typeof given === 'string' ? parseTime(given) : null;

/** `<base>__<entity>` where an entity is named. */
export function keyIn({ key: base, entity }: Given): string | Wrong {
  if (typeof base !== 'string' || base === '') return wrong('key', "is required: the signal's name");
  if (entity !== undefined && entity !== null && (typeof entity !== 'string' || entity === ''))
    return wrong('entity', 'must be a text');
  const key = typeof entity === 'string' ? `${base}__${entity}` : base;
  if (key.length > KEY_LENGTH || CONTROL.test(key))
    return wrong('key', `must be 1 to ${KEY_LENGTH} characters, with its entity, and no control characters`);
  if (key.startsWith(ALIAS)) return wrong('key', 'is a subscribed signal and read-only', 'signal_read_only');
  return isReserved(key) ? wrong('key', 'has a reserved name and is read-only', 'signal_read_only') : key;
}

export const unitIn = (unit: unknown): string | null | Wrong => {
  if (unit === undefined || unit === null || unit === '') return null;
  return typeof unit === 'string' && unit.length <= UNIT_LENGTH && !CONTROL.test(unit)
    ? unit
    : wrong('unit', `must be a text of up to ${UNIT_LENGTH} characters`);
};
