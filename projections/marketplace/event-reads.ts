import type { WorkspaceKey } from '../engine/keys.js';
import type { EventDoc } from '../events/documents.js';
import type { EventQueries, Revision } from '../events/queries.js';
import type { MarketplaceQueries, Subscribed } from './queries.js';

/** What the API reads of events. */
export type EventReads = Pick<
  EventQueries,
  | 'event'
  | 'normalisedValue'
  | 'revisions'
  | 'streamPage'
  | 'upcoming'
  | 'streams'
  | 'stream'
  | 'latest'
  | 'scheduled'
  | 'points'
  | 'between'
> & {
  /** Whether an event is reached through a subscription: another's, to be read only. */
  readonly isSubscribed: (workspace: string, eventId: string) => Promise<boolean>;
};

/**
 * Events as a workspace sees them: its own, and those of the streams that it subscribes to, under their
 * aliases. These lie with the publisher and are read there; what comes out looks as if it lay with the
 * reader.
 */
export function eventReads(
  queries: EventQueries,
  market: Pick<MarketplaceQueries, 'aliasesOf' | 'resolve'>,
): EventReads {
  const { aliasesOf, resolve } = market;
  /** Where a stream lies; null: nowhere that this workspace may read. */
  const placeOf = (workspace: string, key: string): Promise<WorkspaceKey | null> =>
    resolve(workspace, 'stream', key);

  /**
   * The subscribed stream through which an event is read that is not the workspace's own; of several the
   * first.
   */
  async function through(workspace: string, eventId: string): Promise<Subscribed | null> {
    const aliases = await aliasesOf(workspace, 'stream');
    for (const publisher of new Set(aliases.map(alias => alias.workspace))) {
      const event = await queries.event(publisher, eventId);
      const found = event && aliases.find(alias => alias.workspace === publisher && alias.key === event.key);
      if (found) return found;
    }
    return null;
  }

  return {
    async event(workspace, eventId) {
      const own = await queries.event(workspace, eventId);
      const via = own ? null : await through(workspace, eventId);
      const event = via && (await queries.event(via.workspace, eventId));
      return event ? eventUnder(event, workspace, via.alias) : own;
    },
    isSubscribed: async (workspace, eventId) =>
      !(await queries.event(workspace, eventId)) && (await through(workspace, eventId)) !== null,

    async normalisedValue(event) {
      const { workspace, key, event_id } = event;
      const place = await placeOf(workspace, key);
      if (!place || place.workspace === workspace) return queries.normalisedValue(event);
      return queries.normalisedValue({ ...event, ...place, _id: `${place.workspace}/${event_id}` });
    },
    async revisions(workspace, eventId, offset, limit) {
      const own = await queries.revisions(workspace, eventId, offset, limit);
      const via = own ? null : await through(workspace, eventId);
      const found = via && (await queries.revisions(via.workspace, eventId, offset, limit));
      return found
        ? { ...found, revisions: found.revisions.map(each => revisionUnder(each, workspace, via.alias)) }
        : own;
    },
    async streamPage(workspace, key, limit, before, after) {
      const place = await placeOf(workspace, key);
      if (!place) return { events: [], hasMore: false, nextBefore: null, next: null };
      if (place.workspace === workspace) return queries.streamPage(workspace, key, limit, before, after);
      const from = after && { ...after, id: idIn(place.workspace, after.id) };
      const { events, next, ...page } = await queries.streamPage(
        place.workspace,
        place.key,
        limit,
        before,
        from,
      );
      const own = next && { ...next, id: idIn(workspace, next.id) };
      return { ...page, events: events.map(event => eventUnder(event, workspace, key)), next: own };
    },
    async upcoming(workspace, from, until, keys, limit) {
      const parts = [await queries.upcoming(workspace, from, until, keys, limit)];
      for (const { publisher, aliases } of offersIn(await aliasesOf(workspace, 'stream'), keys)) {
        const { events, total } = await queries.upcoming(publisher, from, until, [...aliases.keys()], limit);
        parts.push({
          total,
          events: events.map(event => eventUnder(event, workspace, aliases.get(event.key)!)),
        });
      }
      const events = parts
        .flatMap(part => part.events)
        .sort((a, b) => a.occurred_at - b.occurred_at || (a._id < b._id ? -1 : 1));
      return { events: events.slice(0, limit), total: parts.reduce((sum, { total }) => sum + total, 0) };
    },

    async *streams(workspace) {
      let subscribed = await streamsUnder(queries, workspace, await aliasesOf(workspace, 'stream'));
      for await (const page of queries.streams(workspace)) {
        // No own key begins as an alias does: the aliases stand together, between two own ones
        const [first] = subscribed;
        const behind = first ? page.findIndex(({ key }) => key > first.key) : -1;
        yield behind === -1 ? page : [...page.slice(0, behind), ...subscribed, ...page.slice(behind)];
        if (behind !== -1) subscribed = [];
      }
      if (subscribed.length > 0) yield subscribed;
    },
    async stream(workspace, key) {
      const place = await placeOf(workspace, key);
      const found = place && (await queries.stream(place.workspace, place.key));
      return found && { ...found, _id: `${workspace}/${key}`, workspace, key };
    },
    async latest(workspace, key) {
      const place = await placeOf(workspace, key);
      const found = place && (await queries.latest(place.workspace, place.key));
      return found && place.workspace !== workspace ? eventUnder(found, workspace, key) : found;
    },
    async scheduled(workspace, now) {
      const byKey = await queries.scheduled(workspace, now);
      for (const { publisher, aliases } of offersIn(await aliasesOf(workspace, 'stream'), null)) {
        const theirs = await queries.scheduled(publisher, now, [...aliases.keys()]);
        for (const [key, found] of theirs) byKey.set(aliases.get(key)!, found);
      }
      return byKey;
    },
    async *points(workspace, key) {
      const place = await placeOf(workspace, key);
      if (place) yield* queries.points(place.workspace, place.key);
    },
    async *between(workspace, key, from, to) {
      const place = await placeOf(workspace, key);
      if (place) yield* queries.between(place.workspace, place.key, from, to);
    },
  };
}

type StoredStream = NonNullable<Awaited<ReturnType<EventQueries['stream']>>>;

/** The subscribed streams that there are. */
async function streamsUnder(
  queries: EventQueries,
  workspace: string,
  aliases: readonly Subscribed[],
): Promise<StoredStream[]> {
  const found = await Promise.all(aliases.map(place => queries.stream(place.workspace, place.key)));
  return found.flatMap((stream, i) => {
    const { alias: key } = aliases[i]!;
    return stream ? { ...stream, _id: `${workspace}/${key}`, workspace, key } : [];
  });
}

/**
 * Aliases by what they are called where they lie, listing by listing: two listings may offer the same.
 * `wanted` null: all.
 */
function offersIn(subscribed: readonly Subscribed[], wanted: readonly string[] | null) {
  const offers = new Map<string, { readonly publisher: string; readonly aliases: Map<string, string> }>();
  for (const { alias, listingId, workspace: publisher, key } of subscribed) {
    if (wanted && !wanted.includes(alias)) continue;
    const offer = offers.get(listingId) ?? { publisher, aliases: new Map() };
    offers.set(listingId, offer);
    offer.aliases.set(key, alias);
  }
  return offers.values();
}

/** Ids of events begin with the workspace they lie in. */
const idIn = (workspace: string, id: string): string => workspace + id.slice(id.indexOf('/'));

/**
 * An event as the subscriber sees it. The words of the publisher's workspace, after which it was scored, are
 * nobody else's.
 */
const eventUnder = <E extends EventDoc>(event: E, workspace: string, alias: string): E => ({
  ...event,
  _id: idIn(workspace, event._id),
  workspace,
  key: alias,
  score_version: withoutWords(event.score_version),
});

const revisionUnder = (revision: Revision, workspace: string, alias: string): Revision => ({
  ...revision,
  workspace,
  key: alias,
  source: revision.given.source ?? alias,
  score_version: withoutWords(revision.score_version),
});

/**
 * A version names the workspace's own words by a part of their hash, which would betray them to whoever
 * guesses well.
 */
const withoutWords = (version: string | null): string | null =>
  version && version.replace(/\.[0-9a-f]{8}(?=\+|$)/, '');
