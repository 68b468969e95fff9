import type { EventsAhead } from '../commands/shocks/adjusting.js';
import type { EventsPast } from '../commands/shocks/carrying.js';
import type { Bars } from '../commands/shocks/qualifying.js';
import { withoutWords } from '../domain/events/scoring.js';
import type { Scheduled } from '../domain/shocks/applying.js';
import type { SeenEvent } from '../projections/events/stream-queries.js';
import type { EventsArea } from './events.js';
import type { MarketplaceArea } from './marketplace.js';

export type Streams = { readonly marketplace: MarketplaceArea; readonly events: EventsArea };

/** Of a stream's events within 180 days the newest say what is important in it. */
const MOST_BEFORE = 5_000;

/** What is read of streams: those of the workspace, and those it subscribes to. */
export const importancesIn =
  ({ events, marketplace }: Streams): Bars['importances'] =>
  async (workspace, stream, from, to) => {
    const place = await marketplace.queries.resolve(workspace, 'stream', stream);
    if (!place) return [];
    const found = await events.queries.newest(place.workspace, place.key, to - 1, MOST_BEFORE);
    return found.flatMap(({ occurred_at: at, scores }) => (at >= from && scores ? [scores.importance] : []));
  };

/** Events that lie ahead of one forecast. */
const MOST_AHEAD = 1_000;
/** Events of a stream that happened, and go on in one forecast. */
const MOST_PAST = 500;

type Known = Omit<SeenEvent, '_id' | 'timestamp'>;
type Reading = (queries: Streams['events']['queries'], workspace: string, key: string) => Promise<Known[]>;

/** Scored events of streams, those of the workspace and those it subscribes to. */
async function known(
  { events, marketplace }: Streams,
  workspace: string,
  streams: readonly string[],
  read: Reading,
): Promise<readonly Scheduled[]> {
  const found = await Promise.all(
    streams.map(async (stream): Promise<Scheduled[]> => {
      const place = await marketplace.queries.resolve(workspace, 'stream', stream);
      if (!place) return [];
      const seen = await read(events.queries, place.workspace, place.key);
      const isOwn = place.workspace === workspace;
      return seen.flatMap(({ event_id: eventId, occurred_at: occurredAt, scores, value, score_version }) => {
        if (!scores) return [];
        const { impact, importance } = scores;
        const scorer = score_version && (isOwn ? score_version : withoutWords(score_version));
        return [
          {
            ...{ eventId, stream, occurredAt, value, impact, importance },
            ...(scorer && { scorerVersion: scorer }),
          },
        ];
      });
    }),
  );
  return found.flat();
}

/** Of events, those that were recorded until a moment; null: all. */
const recordedBy = (asOf: number | null, seen: readonly SeenEvent[]): SeenEvent[] =>
  seen.filter(({ timestamp }) => asOf === null || timestamp <= asOf);

/** Scored events that are to come, or were at a moment. */
export const aheadIn =
  (on: Streams): EventsAhead =>
  (workspace, streams, after, before, asOf) =>
    known(on, workspace, streams, async (queries, of, key) =>
      asOf === null
        ? (await queries.upcoming(of, after, before - 1, [key], MOST_AHEAD)).events
        : // What was to come then may have come since
          recordedBy(asOf, await queries.seenBetween(of, key, after + 1, before - 1, MOST_AHEAD)),
    );

/** Scored events that happened, or had at a moment; the newest of each stream. */
export const pastIn =
  (on: Streams): EventsPast =>
  (workspace, streams, from, until, asOf) =>
    known(on, workspace, streams, async (queries, of, key) =>
      recordedBy(asOf, await queries.seenBetween(of, key, from, until, MOST_PAST)),
    );
