import { FUTURE_LIMIT } from '../events/decider.js';
import { parseTime } from '../time.js';
import type { EventConfig, Readers } from './event-config.js';
import { unfitIn } from './fitness.js';

/** An item that was not taken: which one, what of it, and why. */
export type ItemFault = {
  readonly index: number;
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
};

/** An event as an item tells it. `occurredAt`: epoch ms; null: it tells none. `raw`: what came, if small. */
export type ItemEvent = {
  readonly index: number;
  /** The provider's id as text; null: it has none. */
  readonly externalId: string | null;
  readonly text: string;
  readonly occurredAt: number | null;
  readonly raw: unknown;
};
/** Points of one signal in the order they came; times in epoch ms. */
export type ItemSeries = { readonly key: string; readonly times: number[]; readonly values: number[] };

export const MOST_TEXT = 100_000;
const MOST_ID = 500;
const MOST_KEY = 200;
/** Signals that items are of at a time: each is a journal of its own. */
const MOST_SERIES = 10_000;
const MOST_FUTURE_DAYS = 400;
const CONTROL = /[\u0000-\u001f\u007f]/;
const NUMERIC = /^\s*[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?\s*$/i;

const fault = (
  index: number,
  field: string | null,
  message: string,
  code = 'validation_error',
): ItemFault => ({
  ...{ index, field, code, message },
});

/**
 * The items of a body: the list at the path, or the body itself. One object is one item, also at the path;
 * anything else is none.
 */
export function itemsIn(body: unknown, { list }: Pick<Readers, 'list'>): readonly unknown[] {
  const found = list ? list(body) : body;
  if (Array.isArray(found)) return found;
  return isObject(found) ? [found] : [];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Items as events; `now` (epoch ms) is when they came. */
export function eventsIn(items: readonly unknown[], config: EventConfig, readers: Readers, now: number) {
  const events: ItemEvent[] = [];
  const rejected: ItemFault[] = [];
  for (const [index, item] of items.entries()) {
    const read = eventIn(item, index, config, readers, now);
    if ('message' in read) rejected.push(read);
    else events.push(read);
  }
  return { events, rejected };
}

function eventIn(
  item: unknown,
  index: number,
  config: EventConfig,
  readers: Readers,
  now: number,
): ItemEvent | ItemFault {
  const unfit = unfitIn(item);
  if (unfit) return fault(index, shown(unfit.field), unfit.message);
  const text = textOf(readers.text(item));
  if (text === null) return fault(index, config.textPath, 'must be a text that is not empty');
  if (text.length > MOST_TEXT)
    return fault(index, config.textPath, `must have at most ${MOST_TEXT} characters`);
  const occurredAt = timeOf(readers.occurredAt(item));
  if (occurredAt !== null && occurredAt > now + FUTURE_LIMIT)
    return fault(
      index,
      config.occurredAtPath,
      `Scheduled events can be at most ${MOST_FUTURE_DAYS} days in the future`,
      'occurred_at_too_far',
    );
  const externalId = readers.id ? idOf(readers.id(item)) : null;
  if (externalId !== null && externalId.length > MOST_ID)
    return fault(index, config.idPath, `must have at most ${MOST_ID} characters`);
  return { index, externalId, text, occurredAt, raw: item };
}

/** Numbers are taken as their text. Null: there is none. */
function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

/** Null: there is none, or it is no time. */
const timeOf = (value: unknown): number | null =>
  typeof value === 'number' || typeof value === 'string' ? parseTime(value) : null;

/** The text form of an id; absent, null and '' mean none. */
function idOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * Items as rows of signals: every scalar member besides time and entity is a point of `<stream>.<member>`,
 * with an entity of `<stream>.<member>__<entity>`. Booleans are 0 and 1, numeric text is a number, other text
 * is passed over, and so are objects and lists. A row without a time is of now; one whose time is none is
 * rejected, for a point at a wrong time falsifies a series. A member that makes no key, or is of
 * a signal beyond the 10,000th, is rejected by itself.
 */
export function rowsIn(items: readonly unknown[], config: EventConfig, readers: Readers, now: number) {
  const series = new Map<string, ItemSeries>();
  const rejected: ItemFault[] = [];
  for (const [index, item] of items.entries()) {
    const read = rowIn(item, index, config, readers, now);
    if ('message' in read) {
      rejected.push(read);
      continue;
    }
    for (const each of read.rejected) rejected.push(each);
    for (const { name, key, value } of read.points) {
      const one = series.get(key) ?? { key, times: [], values: [] };
      if (one.times.length === 0 && series.size >= MOST_SERIES) {
        rejected.push(fault(index, shown(name), SERIES_RULE, 'too_many_signals'));
        continue;
      }
      series.set(key, one);
      one.times.push(read.time);
      one.values.push(value);
    }
  }
  return { series: [...series.values()], rejected };
}

type Row = {
  readonly time: number;
  readonly points: readonly { readonly name: string; readonly key: string; readonly value: number }[];
  readonly rejected: readonly ItemFault[];
};

function rowIn(
  item: unknown,
  index: number,
  { stream, occurredAtPath, idPath }: EventConfig,
  readers: Readers,
  now: number,
): Row | ItemFault {
  if (!isObject(item)) return fault(index, null, 'must be an object');
  const given = readers.occurredAt(item);
  const time = given === undefined || given === null || given === '' ? now : timeOf(given);
  if (time === null)
    return fault(index, occurredAtPath, 'must be epoch seconds, epoch milliseconds or an ISO 8601 time');
  const entity = readers.id ? idOf(readers.id(item)) : null;
  if (entity !== null && !isKey(entity)) return fault(index, idPath, KEY_RULE);
  const points: { name: string; key: string; value: number }[] = [];
  const rejected: ItemFault[] = [];
  for (const [name, member] of Object.entries(item)) {
    if (readers.apart.has(name)) continue;
    const value = numberOf(member);
    if (value === null) continue;
    const key = entity === null ? `${stream}.${name}` : `${stream}.${name}__${entity}`;
    if (name === '') rejected.push(fault(index, name, 'must have a name'));
    else if (!isKey(key)) rejected.push(fault(index, shown(name), KEY_RULE));
    else points.push({ name, key, value });
  }
  return { time, points, rejected };
}

/** A name as its sender wrote it, but for the end of one that is too long to be kept. */
const shown = (name: string): string =>
  (name.length > MOST_KEY ? `${name.slice(0, MOST_KEY)}...` : name).toWellFormed();

const SERIES_RULE = `is of one more signal than the ${MOST_SERIES} that items may be of at a time`;
const KEY_RULE = `must make a key of at most ${MOST_KEY} characters, none of them control characters`;
const isKey = (text: string): boolean =>
  text.length <= MOST_KEY && !CONTROL.test(text) && text.isWellFormed();

/** The number that a member holds; null: none. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'string' && NUMERIC.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}
