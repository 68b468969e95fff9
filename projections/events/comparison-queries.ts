import { lookedAt, noveltyOf, RECENT } from '../../domain/events/novelty.js';
import { normaliseValue } from '../../domain/events/numeric.js';
import type { Reader } from '../engine/reader.js';
import type { EventDoc } from './documents.js';
import { BY_TIME } from './stream-queries.js';

/** How many events before one its value is measured against. */
export const HISTORY = 1_000;
/** So many events are looked through for those recorded before one: a stream may be filled from its end. */
const LOOKED_THROUGH = 4 * RECENT.texts;
/** With long texts one page is enough, with short ones two are: the event itself is among them. */
const RECENT_PAGE = RECENT.texts / 2 + 1;
/** How an event compares with those of its stream before it. */
export const comparisonQueries = (read: Reader) => ({
  /**
   * The event's value against those of up to 1,000 events of its stream that occurred before it; null without
   * a value.
   */
  async normalisedValue({ workspace, key, occurred_at, _id, value }: EventDoc): Promise<number | null> {
    if (value === null) return null;
    const before = await read.find<EventDoc>('events', {
      where: { workspace, key },
      sort: { by: BY_TIME, descending: true },
      after: [occurred_at, _id],
      limit: HISTORY,
      fields: ['value'],
    });
    return normaliseValue(
      value,
      before.flatMap(event => event.value ?? []),
    );
  },

  /**
   * How much of an event's text is new in its stream, as far as the documents go; null when there is no such
   * event.
   */
  async novelty(workspace: string, eventId: string): Promise<number | null> {
    const event = await read.get<EventDoc>('events', `${workspace}/${eventId}`);
    return event && noveltyOf(event.text, await textsBefore(read, event));
  },
});

/**
 * The texts of `RECENT` events, newest occurrence first. By positions, not by clocks: what comes later never
 * was earlier.
 */
async function textsBefore(
  read: Reader,
  { workspace, key, occurred_at, position }: EventDoc,
): Promise<string[]> {
  const texts: string[] = [];
  let left = LOOKED_THROUGH;
  let letters = RECENT.letters;
  for await (const page of read.pages<EventDoc>('events', {
    where: { workspace, key, occurred_at: { gte: occurred_at - RECENT.span, lte: occurred_at } },
    sort: { by: BY_TIME, descending: true },
    limit: RECENT_PAGE,
    fields: ['occurred_at', 'position', 'text'],
  })) {
    for (const event of page) {
      if (left-- === 0 || texts.length === RECENT.texts || letters <= 0) return texts;
      if (event.position >= position) continue;
      texts.push(event.text);
      letters -= lookedAt(event.text);
    }
  }
  return texts;
}
