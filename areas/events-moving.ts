import type { EventsAhead } from '../commands/shocks/adjusting.js';
import type { EventsPast } from '../commands/shocks/carrying.js';
import type { Scheduled } from '../domain/shocks/applying.js';
import type { SeenEvent } from '../projections/events/stream-queries.js';
import type { Streams } from './shock-standing.js';

/** Events that lie ahead of one forecast. */
const MOST_AHEAD = 1_000;
/** Events of a stream that happened, and go on in one forecast. */
const MOST_PAST = 500;

/** One that is not scored is not known yet. */
const asKnown = (
  stream: string,
  { event_id: eventId, occurred_at: occurredAt, scores, value }: Omit<SeenEvent, '_id' | 'timestamp'>,
): Scheduled[] =>
  scores
    ? [{ eventId, stream, occurredAt, value, impact: scores.impact, importance: scores.importance }]
    : [];

/** Scored events that are to come, or were at a moment. */
export const aheadIn =
  ({ events, marketplace }: Streams): EventsAhead =>
  async (workspace, streams, after, before, asOf) => {
    const found = await Promise.all(
      streams.map(async stream => {
        const place = await marketplace.queries.resolve(workspace, 'stream', stream);
        if (!place) return [];
        const within = async () => {
          if (asOf === null) {
            const { workspace: of, key } = place;
            return (await events.queries.upcoming(of, after, before - 1, [key], MOST_AHEAD)).events;
          }
          // What was to come then may have come since
          const { workspace: of, key } = place;
          const all = await events.queries.seenBetween(of, key, after + 1, before - 1, MOST_AHEAD);
          return all.filter(each => each.timestamp <= asOf);
        };
        return (await within()).flatMap(each => asKnown(stream, each));
      }),
    );
    return found.flat();
  };

/** Scored events that happened, or had at a moment; the newest of each stream. */
export const pastIn =
  ({ events, marketplace }: Streams): EventsPast =>
  async (workspace, streams, from, until, asOf) => {
    const found = await Promise.all(
      streams.map(async stream => {
        const place = await marketplace.queries.resolve(workspace, 'stream', stream);
        if (!place) return [];
        const all = await events.queries.seenBetween(place.workspace, place.key, from, until, MOST_PAST);
        return all
          .filter(each => asOf === null || each.timestamp <= asOf)
          .flatMap(each => asKnown(stream, each));
      }),
    );
    return found.flat();
  };
