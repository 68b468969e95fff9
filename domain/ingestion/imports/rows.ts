import { isReserved } from '../../aliases.js';
import { isNumericContent } from '../../events/numeric.js';
import { isMissing, numberIn, type NumberStyle } from '../../tables/cells.js';
import { booleanIn } from '../../tables/sample.js';
import { DEFAULT_STREAM, type Mapping } from './mapping.js';
import type { ReadTime } from './times.js';

/** Something wrong in a file: the row (1: the first after the names) and the column, null: all of it. */
export type Problem = {
  readonly row: number | null;
  readonly column: string | null;
  readonly message: string;
};

/** Points of one signal in the order of the file. */
export type SeriesRows = { readonly key: string; readonly times: number[]; readonly values: number[] };
export type EventRow = {
  readonly row: number;
  readonly text: string;
  readonly occurredAt: number;
  readonly value: number | null;
};

/** What some rows of a file come to. */
export type RowsRead = {
  readonly series: readonly SeriesRows[];
  readonly events: readonly EventRow[];
  /** Rows of which something was not taken. */
  readonly rejected: number;
  /** The first of what is wrong in them. */
  readonly problems: readonly Problem[];
};

export type FileColumns = { readonly names: readonly string[]; readonly style: NumberStyle };

/** Series of one file. */
export const MOST_SERIES = 50_000;
export const KEY_LENGTH = 200;
/** Problems that are kept of one file. */
export const MOST_PROBLEMS = 100;
export const TEXT_LENGTH = 100_000;

/** Takes in rows one by one; `take` answers what they came to and begins anew. */
export class RowReader {
  readonly #readTime: ReadTime;
  readonly #style: NumberStyle;
  readonly #width: number;
  readonly #at: Readonly<Record<'time' | 'key' | 'value' | 'entity' | 'text', number>>;
  readonly #mapping: Mapping;
  readonly #columns: readonly { readonly at: number; readonly column: string; readonly key: string }[];
  /** Faults of keys that were looked at. */
  readonly #keys = new Map<string, string | null>();
  #series = new Map<string, SeriesRows>();
  #events: EventRow[] = [];
  #problems: Problem[] = [];
  #rejected = 0;
  #lastRejected = 0;
  /** How much was taken since `take`: points, and events, which count as many. */
  size = 0;

  constructor(mapping: Mapping, { names, style }: FileColumns, readTime: ReadTime) {
    const at = (column: string | null): number => (column === null ? -1 : names.indexOf(column));
    const { time, key, value, entity, eventText, columns, stream } = mapping;
    this.#mapping = mapping;
    this.#style = style;
    this.#readTime = readTime;
    this.#width = names.length;
    this.#at = { time: at(time), key: at(key), value: at(value), entity: at(entity), text: at(eventText) };
    const ofValue =
      value !== null && key === null && stream !== null ? { [value]: `${stream}.${value}` } : {};
    const series = mapping.layout === 'wide' ? (columns ?? {}) : ofValue;
    this.#columns =
      eventText !== null && mapping.layout === 'long'
        ? []
        : Object.entries(series).map(([column, of]) => ({ at: at(column), column, key: of }));
  }

  /** `row`: its number in the file, from 1. */
  add(row: number, cells: readonly string[]): void {
    if (cells.length > this.#width && cells.slice(this.#width).some(cell => cell !== '')) {
      this.#bad(row, null, `has ${cells.length} cells; there are ${this.#width} columns`);
      return;
    }
    const time = this.#readTime(cells[this.#at.time] ?? '');
    if (time === null) {
      this.#bad(row, this.#mapping.time, this.#timeFault(cells[this.#at.time] ?? ''));
      return;
    }
    const entity = this.#at.entity < 0 ? '' : (cells[this.#at.entity] ?? '').trim();
    for (const { at, column, key } of this.#columns)
      this.#point(row, column, cells[at] ?? '', time, key, entity);
    if (this.#at.key >= 0 && this.#at.value >= 0) {
      const key = (cells[this.#at.key] ?? '').trim();
      if (key === '') this.#bad(row, this.#mapping.key, 'is empty');
      else this.#point(row, this.#mapping.value!, cells[this.#at.value] ?? '', time, key, entity);
    }
    if (this.#at.text >= 0) this.#event(row, cells, time);
  }

  /** A row that is none. */
  refuse(row: number, message: string): void {
    this.#bad(row, null, message);
  }

  /** Series with points since `take`. */
  get seriesCount(): number {
    return this.#series.size;
  }

  take(): RowsRead {
    const read = {
      series: [...this.#series.values()],
      events: this.#events,
      rejected: this.#rejected,
      problems: this.#problems,
    };
    this.#series = new Map();
    this.#events = [];
    this.#problems = [];
    this.#rejected = 0;
    this.size = 0;
    return read;
  }

  #timeFault = (cell: string): string =>
    isMissing(cell) ? 'is empty' : `is no time of the form ${this.#mapping.timeFormat}`;

  #point(row: number, column: string, cell: string, time: number, base: string, entity: string): void {
    const value = numberIn(cell, this.#style) ?? booleanIn(cell);
    if (value === null) {
      this.#bad(row, column, 'is not a number');
      return;
    }
    if (Number.isNaN(value)) return;
    const key = entity === '' ? base : `${base}__${entity}`;
    const fault = this.#keyFault(key);
    if (fault !== null) {
      this.#bad(row, this.#mapping.key ?? column, fault);
      return;
    }
    let series = this.#series.get(key);
    if (!series) {
      series = { key, times: [], values: [] };
      this.#series.set(key, series);
    }
    series.times.push(time);
    series.values.push(value);
    this.size++;
  }

  #event(row: number, cells: readonly string[], occurredAt: number): void {
    const text = (cells[this.#at.text] ?? '').trim();
    const hasPoints = this.#columns.length > 0 || this.#at.key >= 0;
    if (text === '') {
      if (!hasPoints) this.#bad(row, this.#mapping.eventText, 'is empty');
      return;
    }
    if (text.length > TEXT_LENGTH) {
      this.#bad(row, this.#mapping.eventText, `is longer than ${TEXT_LENGTH} characters`);
      return;
    }
    const given = this.#at.value < 0 || hasPoints ? NaN : numberIn(cells[this.#at.value] ?? '', this.#style);
    if (given === null) {
      this.#bad(row, this.#mapping.value, 'is not a number');
      return;
    }
    const value = Number.isNaN(given) ? this.#ownValue(text) : given;
    this.#events.push({ row, text, occurredAt, value });
    this.size += EVENT_COUNTS_AS;
  }

  /** The number that a text is, as numbers of the file are written; null: it is none. */
  #ownValue(text: string): number | null {
    const own = isNumericContent(text, 'text') ? numberIn(text, this.#style) : null;
    return own === null || Number.isNaN(own) ? null : own;
  }

  #keyFault(key: string): string | null {
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    if (this.#keys.size >= MOST_SERIES) return `names more than ${MOST_SERIES} series`;
    if (isReserved(key)) return 'has a reserved name and is read-only';
    const isKey = key.length <= KEY_LENGTH && !CONTROL.test(key) && key.isWellFormed();
    const fault = isKey ? null : `makes no key: 1 to ${KEY_LENGTH} characters, and no control characters`;
    this.#keys.set(key, fault);
    return fault;
  }

  #bad(row: number, column: string | null, message: string): void {
    if (row !== this.#lastRejected) this.#rejected++;
    this.#lastRejected = row;
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ row, column, message });
  }
}

/** An event is a journal of its own, a point a number in one. */
const EVENT_COUNTS_AS = 50;
const CONTROL = /[\u0000-\u001f\u007f]/;

/** The stream that events of a file go to. */
export const streamOf = ({ stream }: Mapping): string => stream ?? DEFAULT_STREAM;
