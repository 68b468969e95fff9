import { Rejected } from '../../rejected.js';

/** Members of a parsed JSON object of whose shape nothing is known yet. */
export type Members = Readonly<Record<string, unknown>>;

/** `at`: where the member stands in the file. */
export const wrong = (at: string, must: string): Rejected =>
  new Rejected('unprocessable', 'invalid_xgboost', `${at} ${must}`, { at });

/** A value as it is shown in a message: short, whatever it is. */
export const words = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 60);

export function objectAt(value: unknown, at: string): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(at, `must be an object, not ${words(value)}`);
  return value as Members;
}

export function listAt(value: unknown, at: string, most: number): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(at, `must be a list, not ${words(value)}`);
  if (value.length > most) throw wrong(at, `must have at most ${most} entries, not ${value.length}`);
  return value;
}

/** A whole number, which XGBoost writes as a text. */
export function wholeAt(value: unknown, at: string, low: number, high: number): number {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number) || number < low || number > high)
    throw wrong(at, `must be a whole number from ${low} to ${high}, not ${words(value)}`);
  return number;
}

/** A number that float32 can hold, rounded to it. */
export function float32At(value: unknown, at: string): number {
  const rounded = typeof value === 'number' ? Math.fround(value) : NaN;
  if (!Number.isFinite(rounded)) throw wrong(at, `must be a number of float32, not ${words(value)}`);
  return rounded;
}

/** `[1E-1,9E-1]` as a text, a list of numbers, or one number as either. */
export function numbersAt(value: unknown, at: string): number[] {
  const list = typeof value === 'string' ? value.replace(/^\[|\]$/g, '').split(',') : [value].flat();
  return list.map(each => float32At(typeof each === 'string' && each.trim() ? Number(each) : each, at));
}
