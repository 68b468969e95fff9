import { entityOf } from '../../domain/maths/series/units.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { Recipe } from '../../domain/segments/recipe.js';
import type { EdgeResponse, Sources } from '../../domain/segments/ports.js';
import type { EventFigure } from '../../domain/segments/receipts.js';
import { streamsIn } from '../../domain/segments/responses.js';
import { Rejected } from '../../domain/rejected.js';

/** Where a signal or an event stream lies. */
export type Place = { readonly workspace: string; readonly key: string };
/** What builds read of signals and events, from read models. Times are epoch ms. */
export type SegmentReads = {
  /**
   * Of the workspace, or what it subscribes to; `recordedAt`: when a point was last recorded; null: there is
   * none.
   */
  signal(workspace: string, key: string): Promise<(Place & { readonly recordedAt: number }) | null>;
  /** Null: a name of a subscription that there is none of. */
  stream(workspace: string, key: string): Promise<Place | null>;
  /** Of the signals `<base>__<entity>`, at most so many: keys, and when a point was last recorded. */
  entities(
    workspace: string,
    base: string,
    limit: number,
  ): Promise<readonly (Place & { readonly recordedAt: number })[]>;
  /** Points from one time to another, both included, as they were known then, page by page in order. */
  points(place: Place, from: number, to: number, asOf: number): AsyncIterable<Series>;
  /** The newest point up to a time, as it was known then. */
  newest(place: Place, to: number, asOf: number): Promise<Series>;
  /** Events in the same way; a figure is NaN where one has none. */
  events(place: Place, from: number, to: number, asOf: number, figure: EventFigure): AsyncIterable<Series>;
  /**
   * What events of a stream do to targets of the workspace's goals, by edges that act now, or (epoch ms)
   * acted then: by target.
   */
  responses(
    workspace: string,
    stream: string,
    asOf: number | null,
  ): Promise<ReadonlyMap<string, readonly EdgeResponse[]>>;
};
export type Holidays = Sources['holidays'];

/** So many entities a table has at most. */
export const MOST_ENTITIES = 10_000;

/**
 * What one build reads of a workspace, as it was known at a moment (epoch ms). `isPast`: edges, too, are as
 * they were then and not as they are now.
 */
export function sourcesOf(
  { reads, holidays }: { readonly reads: SegmentReads; readonly holidays: Holidays },
  workspace: string,
  asOf: number,
  isPast: boolean,
): Sources {
  const signals = remembered((key: string) => reads.signal(workspace, key));
  const streams = remembered((key: string) => reads.stream(workspace, key));
  const responses = remembered((key: string) => reads.responses(workspace, key, isPast ? asOf : null));
  return {
    asOf,
    async span(key, from, to) {
      const place = await signals(key);
      if (!place) return null;
      for await (const { times } of reads.points(place, from, to - 1, asOf)) {
        const newest = await reads.newest(place, to - 1, asOf);
        return { first: times[0]!, last: newest.times.at(-1)! };
      }
      return null;
    },
    async *points(key, from, to) {
      const place = await signals(key);
      if (place) yield* inPages(reads.points(place, from, to - 1, asOf));
    },
    async *events(stream, from, to, figure) {
      const place = await streams(stream);
      if (place) yield* reads.events(place, from, to - 1, asOf, figure);
    },
    responses: async (stream, target) => (await responses(stream)).get(target) ?? [],
    async entities(base) {
      const found = await reads.entities(workspace, base, MOST_ENTITIES + 1);
      if (found.length > MOST_ENTITIES)
        throw new Rejected(
          'unprocessable',
          'too_many_entities',
          `'${base}' has more than ${MOST_ENTITIES} entities`,
          { limit: MOST_ENTITIES },
        );
      return found.map(({ key }) => entityOf(key)!.entity);
    },
    holidays,
  };
}

/** Keys of the signals and the streams that a recipe names. */
export const namedIn = ({ target, inputs, ...of }: Recipe) => ({
  signals: [...new Set([target, ...inputs.map(({ key }) => key)])],
  streams: [...new Set(streamsIn(of))],
});

function remembered<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return key => {
    const found = known.get(key) ?? find(key);
    known.set(key, found);
    return found;
  };
}

/** What is sent over in one go: leaves hold some hundred points. */
const PAGE_POINTS = 8_192;

async function* inPages(parts: AsyncIterable<Series>): AsyncGenerator<Series> {
  let times: number[] = [];
  let values: number[] = [];
  for await (const part of parts) {
    for (let i = 0; i < part.times.length; i++) {
      times.push(part.times[i]!);
      values.push(part.values[i]!);
    }
    if (times.length < PAGE_POINTS) continue;
    yield { times, values };
    [times, values] = [[], []];
  }
  if (times.length > 0) yield { times, values };
}
