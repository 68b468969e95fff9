import type { EventsThen, PastEvent, StreamPast } from '../api/events/deps.js';
import { normaliseValue } from '../domain/events/numeric.js';
import { withoutWords } from '../domain/events/scoring.js';
import { ACTING } from '../domain/goals/ports.js';
import { Rejected } from '../domain/rejected.js';
import { HISTORY } from '../projections/events/comparison-queries.js';
import { described, type EventDoc } from '../projections/events/documents.js';
import { eventsProjection } from '../projections/events/projection.js';
import { eventQueries } from '../projections/events/queries.js';
import { thenQueries, type ThenQueries } from '../projections/events/then-queries.js';
import { byCodePoint } from '../projections/marketplace/queries.js';
import { edgesThen } from './edges-then.js';
import { eventHistories, type EventThen } from './event-histories.js';
import { type Place, upcomingThen } from './events-to-come.js';
import { goalsThen } from './goals-then.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';

/**
 * Events as they were recorded until a moment, epoch ms, what was withdrawn since included. What streams held
 * that were deleted since is listed nowhere any more: such a stream is refused, lists name it. Single events
 * are from their journals. Of other workspaces' streams, those that are subscribed to now.
 */
export function eventsPast(
  kernel: Pick<Kernel, 'read' | 'stores'>,
  { queries: market }: Pick<MarketplaceArea, 'queries'>,
): EventsThen {
  const documents = kernel.read(eventsProjection);
  const now = eventQueries(documents);
  const { deletedSince, eventThen, fromJournals, effectsThen } = eventHistories(kernel);
  /** For one answer. */
  const queriesAt = (asOf: number, inVain?: number): ThenQueries =>
    thenQueries(documents, asOf, fromJournals(asOf), inVain);
  const edges = edgesThen(kernel);
  const goalThen = goalsThen(kernel);
  const aliases = (workspace: string): Promise<readonly Place[]> => market.aliasesOf(workspace, 'stream');

  /** Own streams that have, or had, events, and those that are subscribed to, by name. */
  async function places(workspace: string): Promise<readonly Place[]> {
    const all = [...(await aliases(workspace))];
    for await (const page of now.streams(workspace))
      for (const { key } of page) all.push({ workspace, key, alias: key });
    return all.sort((a, b) => byCodePoint(a.alias, b.alias));
  }

  async function isGone({ workspace, key }: Pick<Place, 'workspace' | 'key'>, asOf: number) {
    const stream = await now.stream(workspace, key);
    return Boolean(stream?.deleted) && deletedSince(workspace, key, asOf);
  }

  async function deleted(all: readonly Place[], asOf: number): Promise<string[]> {
    const found: string[] = [];
    for (const place of all) if (await isGone(place, asOf)) found.push(place.alias);
    return found;
  }

  async function valueNormalized(event: EventDoc, asOf: number): Promise<number | null> {
    if (event.value === null || (await isGone(event, asOf))) return null;
    try {
      return normaliseValue(event.value, await queriesAt(asOf).valuesBefore(event, event, HISTORY));
    } catch (error) {
      // What happened to others is no reason not to tell of this one
      if (error instanceof Rejected && error.code === 'too_many_events') return null;
      throw error;
    }
  }

  function shown({ event, revisions }: EventThen, asOf: number, seen: Mask): PastEvent {
    const is = seen(event);
    const was = revisions.map(({ before, until }) => ({ ...seen(before), until }));
    return {
      event: is,
      revisions: [...was, { ...is, ...described(is), until: null }],
      valueNormalized: () => valueNormalized(event, asOf),
    };
  }

  const streamOf = (queries: ThenQueries, { workspace, key, alias }: Place, asOf: number): StreamPast => ({
    key: alias,
    page: (...of) => queries.streamPage({ workspace, key }, ...of),
    points: () => queries.points({ workspace, key }),
    /** An event's text never changes. */
    async textOf(eventId) {
      const is = (await now.event(workspace, eventId)) ?? (await eventThen(workspace, eventId, asOf))?.event;
      return is?.text ?? '';
    },
  });

  return {
    async stream(workspace, key, asOf) {
      const place = await market.resolve(workspace, 'stream', key);
      if (!place) return null;
      if (await isGone(place, asOf)) throw deletedStream(key);
      return streamOf(queriesAt(asOf), { ...place, alias: key }, asOf);
    },

    async streams(workspace, asOf) {
      const all = await places(workspace);
      const gone = await deleted(all, asOf);
      const names = new Set(gone);
      const there = all.filter(({ alias }) => !names.has(alias));
      // What lists all streams counts all events, whenever they were recorded
      const queries = queriesAt(asOf, Infinity);
      return { streams: there.map(place => streamOf(queries, place, asOf)), deletedSince: gone };
    },

    async event(workspace, eventId, asOf) {
      const own = await eventThen(workspace, eventId, asOf);
      if (own) return shown(own, asOf, event => event);
      const all = await aliases(workspace);
      for (const publisher of new Set(all.map(place => place.workspace))) {
        const other = await eventThen(publisher, eventId, asOf);
        const place = all.find(each => each.workspace === publisher && each.key === other?.event.key);
        if (other && place) return shown(other, asOf, seenAs(workspace, place.alias));
      }
      return null;
    },

    upcoming: upcomingThen({ queries: queriesAt, places, deleted }),

    async driving(workspace, goalId, asOf) {
      if (!(await goalThen(workspace, goalId, asOf))) return null;
      const all = await edges.ofGoal(workspace, goalId, asOf);
      return all.flatMap(({ kind, source_key: key, status }) =>
        kind === 'event_stream' && ACTING.includes(status) ? key : [],
      );
    },

    effects: effectsThen,
    edges: edges.summaries,
  };
}

type Mask = <E extends Seen>(event: E) => E;
type Seen = Pick<EventDoc, 'workspace' | 'key' | 'given' | 'score_version'> & { readonly source?: string };

/** As a subscriber sees what lies with its publisher. */
const seenAs =
  (workspace: string, alias: string): Mask =>
  event => ({
    ...event,
    ...{ workspace, key: alias, score_version: event.score_version && withoutWords(event.score_version) },
    ...(event.source !== undefined && { source: event.given.source ?? alias }),
  });

function deletedStream(stream: string): Rejected {
  const what = `Event stream '${stream}' was deleted after that moment`;
  const message = `${what}: what it held then is not listed any more`;
  return new Rejected('unprocessable', 'stream_deleted_since', message, { stream });
}
