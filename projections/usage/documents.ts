import { Buffer } from 'node:buffer';
import { beginningOf, endOf, monthOf } from '../../domain/billing/account.js';
import type { Millicredits } from '../../domain/billing/credits.js';
import type { Fact } from '../../domain/fact.js';
import { iso } from '../../domain/time.js';

/** What a workspace did in a month (UTC). */
export type UsageMonthDoc = {
  readonly _id: string;
  readonly workspace: string;
  /** `2026-03`. */
  readonly month: string;
  /** Events and points that were written, also those that others took the place of. */
  readonly rows: number;
  /** Inferences that were answered, or failed. */
  readonly calls: number;
  /** Of events and points that were written; the log keeps also what is deleted later. */
  readonly bytes: number;
};

export type Spent = {
  readonly quantity: number;
  readonly amount: Millicredits;
  readonly charges: number;
};
/** What a workspace paid for on a day (UTC); a pipeline's part of it by its id, `''`: of none. */
export type UsageDayDoc = {
  readonly _id: string;
  readonly workspace: string;
  /** `2026-03-27`. */
  readonly day: string;
  /** By item and pipeline, as `<item>/<pipeline>`; behind that `/<goal>` where it was paid for one. */
  readonly spent: Readonly<Record<string, Spent>>;
};

/** The month that was asked for last: facts that follow each other are nearly always of one. */
let last = { workspace: '', from: 0, to: 0, id: '' };

export function monthId({ meta: { workspace }, at }: Fact): string | null {
  if (workspace === null) return null;
  if (workspace === last.workspace && at >= last.from && at < last.to) return last.id;
  const month = monthOf(at);
  last = { workspace, from: beginningOf(month), to: endOf(month), id: `${workspace}/${month}` };
  return last.id;
}
export const dayId = ({ meta, at }: Fact): string | null =>
  meta.workspace === null ? null : `${meta.workspace}/${iso(at).slice(0, 10)}`;

/** A time and a value. */
const POINT_BYTES = 16;
export const bytesOfPoints = (points: number): number => points * POINT_BYTES;
/** Of text and of what else a caller sends along. */
export const bytesOf = (text: string | undefined, raw?: unknown): number =>
  Buffer.byteLength(text ?? '') + (raw === undefined ? 0 : Buffer.byteLength(JSON.stringify(raw) ?? ''));
