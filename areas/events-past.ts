import type { EventsThen, PastEvent, StreamPast } from '../api/events/deps.js';
import { normaliseValue } from '../domain/events/numeric.js';
import { withoutWords } from '../domain/events/scoring.js';
import { ACTING } from '../domain/goals/ports.js';
import { Rejected } from '../domain/rejected.js';
import { HISTORY } from '../projections/events/comparison-queries.js';
import { described, type EventDoc } from '../projections/events/documents.js';
import { eventsProjection } from '../projections/events/projection.js';
import { eventQueries } from '../projections/events/queries.js';
import { versionQueries } from '../projections/events/version-queries.js';
import { eventVersionsProjection } from '../projections/events/versions.js';
import { byCodePoint } from '../projections/marketplace/queries.js';
import { edgesThen } from './edges-then.js';
import { eventHistories, type EventThen } from './event-histories.js';
import { type Place, upcomingThen } from './events-to-come.js';
import { goalsThen } from './goals-then.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';

/**
 * Events as they were recorded until a moment, epoch ms, what was deleted since included: lists from the
 * versions of events, one by one from their journals. Of other workspaces' streams, those that are subscribed
 * to now.
 */
export function eventsPast(
  kernel: Pick<Kernel, 'read' | 'stores' | 'caughtUp'>,
  { queries: market }: Pick<MarketplaceArea, 'queries'>,
): EventsThen {
  const documents = kernel.read(eventsProjection);
  const now = eventQueries(documents);
  const versions = versionQueries(kernel.read(eventVersionsProjection));
  const { streamThen, eventThen, effectsThen } = eventHistories(kernel);
  const edges = edgesThen(kernel);
  const goalThen = goalsThen(kernel);
  const aliases = (workspace: string): Promise<readonly Place[]> => market.aliasesOf(workspace, 'stream');
  const upcoming = upcomingThen({ versions, streamThen, aliases });
  /** What the lists of now show, those of then know, too. */
  const ready = async (): Promise<void> => {
    if (await kernel.caughtUp(eventVersionsProjection, await documents.upTo())) return;
    throw notYet();
  };

  async function shown({ event, revisions, stream }: EventThen, seen: Mask): Promise<PastEvent> {
    const is = seen(event);
    const was = revisions.map(({ before, until }) => ({ ...seen(before), until }));
    const values = event.value === null ? [] : await versions.before(stream, event, HISTORY);
    const known = values.flatMap(({ value }) => value ?? []);
    return {
      event: is,
      revisions: [...was, { ...is, ...described(is), until: null }],
      valueNormalized: event.value === null ? null : normaliseValue(event.value, known),
    };
  }

  async function streamOf({ workspace, key, alias }: Place, asOf: number): Promise<StreamPast> {
    const stream = await streamThen(workspace, key, asOf);
    return {
      key: alias,
      page: (...of) => versions.streamPage(stream, ...of),
      points: () => versions.points(stream),
      textOf: async eventId => (await eventThen(workspace, eventId, asOf))?.event.text ?? '',
    };
  }

  return {
    async stream(workspace, key, asOf) {
      const place = await market.resolve(workspace, 'stream', key);
      if (!place) return null;
      await ready();
      return streamOf({ ...place, alias: key }, asOf);
    },

    async *streams(workspace, asOf) {
      await ready();
      const places = [...(await aliases(workspace))];
      for await (const page of now.streams(workspace))
        for (const { key } of page) places.push({ workspace, key, alias: key });
      places.sort((a, b) => byCodePoint(a.alias, b.alias));
      for (const place of places) yield await streamOf(place, asOf);
    },

    async event(workspace, eventId, asOf) {
      const own = await eventThen(workspace, eventId, asOf);
      await ready();
      if (own) return shown(own, event => event);
      const places = await aliases(workspace);
      for (const publisher of new Set(places.map(place => place.workspace))) {
        const other = await eventThen(publisher, eventId, asOf);
        const place = places.find(each => each.workspace === publisher && each.key === other?.stream.key);
        if (other && place) return shown(other, seenAs(workspace, place.alias));
      }
      return null;
    },

    async upcoming(...of) {
      await ready();
      return upcoming(...of);
    },

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

/** As it is built for the first time, or far behind. */
const notYet = (): Rejected =>
  new Rejected('unavailable', 'overloaded', 'What events were is not there yet; try again soon', {
    retry_after_s: 5,
  });
