import type { Series } from '../maths/series/series.js';

/** Fed with bytes, it answers their digest once. */
export type Digest = { update(bytes: Uint8Array): void; digest(): string };
export type NewDigest = () => Digest;

/** What is read of events. */
export type EventFigure = 'value' | 'importance' | 'impact';
/** Points of a signal, events of a stream with what is read of them, or their times alone. */
export type ReadOf = 'points' | 'times' | EventFigure;

/**
 * What a column used up of a source from one time to another (not included), since the receipt before of the
 * same `reading`.
 */
export type ReadingReceipt = {
  readonly what: 'reading';
  readonly reading: string;
  readonly of: ReadOf;
  readonly key: string;
  readonly from: number;
  readonly to: number;
  readonly digest: string;
};

/**
 * Something that rows stand on, so that a later build can see whether it is so still. Of an entity: it comes
 * next, and where it begins; which signal an input of it is; the value of a static input (null: none); how
 * many rows it had in the end; what was known of how events act on it. `holidays`: of the years from and to,
 * both included.
 */
export type Receipt =
  | ReadingReceipt
  | { readonly what: 'entity'; readonly entity: string | null; readonly start: number }
  | {
      readonly what: 'signal';
      readonly entity: string | null;
      readonly input: string;
      readonly signal: string;
    }
  | {
      readonly what: 'static';
      readonly entity: string | null;
      readonly input: string;
      readonly value: number | null;
    }
  | {
      readonly what: 'response';
      readonly entity: string | null;
      readonly stream: string;
      readonly digest: string;
    }
  | { readonly what: 'rows'; readonly past: number; readonly ahead: number }
  | {
      readonly what: 'holidays';
      readonly country: string;
      readonly from: number;
      readonly to: number;
      readonly digest: string;
    };

/** Points that are told to a digest at a time. */
const AT_ONCE = 512;
const pairs = new Float64Array(2 * AT_ONCE);
const bytes = new Uint8Array(pairs.buffer);

/**
 * Tells a digest the points `from` to `to` (not included) of a page. However they are cut, it is the same.
 */
export function tell(digest: Digest, of: ReadOf, { times, values }: Series, from: number, to: number): void {
  for (let first = from; first < to; first += AT_ONCE) {
    const end = Math.min(to, first + AT_ONCE);
    let at = 0;
    for (let i = first; i < end; i++) {
      pairs[at++] = times[i]!;
      if (of !== 'times') pairs[at++] = values[i]!;
    }
    digest.update(bytes.subarray(0, 8 * at));
  }
}

export const tellNumbers = (digest: Digest, numbers: readonly number[]): void =>
  digest.update(new Uint8Array(Float64Array.from(numbers).buffer));

/** What was asked for of a country's holidays: those of the years from and to, both included. */
export type AskedHolidays = {
  readonly country: string;
  readonly from: number;
  readonly to: number;
  readonly days: readonly number[];
};

/** Days as a digest. */
export function digestOfDays(days: readonly number[], newDigest: NewDigest): string {
  const digest = newDigest();
  tell(digest, 'times', { times: days, values: days }, 0, days.length);
  return digest.digest();
}

export const receiptOfHolidays = (
  { country, from, to, days }: AskedHolidays,
  newDigest: NewDigest,
): Receipt => ({ what: 'holidays', country, from, to, digest: digestOfDays(days, newDigest) });

/** What a column uses up, so that receipts can be given for it. */
export class Reading {
  #digest: Digest;
  #from: number;

  /** `id`: the same in each build of the table. */
  constructor(
    readonly id: string,
    readonly of: ReadOf,
    readonly key: string,
    from: number,
    readonly newDigest: NewDigest,
  ) {
    this.#from = from;
    this.#digest = newDigest();
  }

  take(page: Series, from: number, to: number): void {
    if (from < to) tell(this.#digest, this.of, page, from, to);
  }

  /** All before a time was used up, and nothing after it. */
  receipt(to: number): ReadingReceipt {
    const { id: reading, of, key } = this;
    const from = this.#from;
    const digest = this.#digest.digest();
    this.#digest = this.newDigest();
    this.#from = Math.max(from, to);
    return { what: 'reading', reading, of, key, from, to: Math.max(from, to), digest };
  }
}

/** Whose column it is: the same in each build of the table. */
export const readingId = (entity: string | null, column: string): string => JSON.stringify([entity, column]);
