import { shockRows } from '../api/shocks/rows.js';
import { shockCommands } from '../commands/shocks/records.js';
import { edgeJournalId, edges as edgesDecider } from '../domain/edges/decider.js';
import { eventJournalId } from '../domain/events/decider.js';
import { ACTING, type ActingEdges } from '../domain/goals/ports.js';
import { aliasOf } from '../domain/marketplace/aliases.js';
import { shockFrames } from '../domain/shocks/frames.js';
import { occurrences } from '../domain/shocks/occurrence.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { remembering } from '../projections/identity/remembering.js';
import { marketplaceProjection, type ListingDoc } from '../projections/marketplace/projection.js';
import { shocksProjection } from '../projections/shocks/projection.js';
import { shockQueries } from '../projections/shocks/queries.js';
import type { Place } from '../workers/shocks/driven.js';
import { shockEntry } from '../workers/shocks/entry.js';
import { shockGrading } from '../workers/shocks/grading.js';
import { shockRechecks } from '../workers/shocks/rechecks.js';
import { shockUpkeep } from '../workers/shocks/upkeep.js';
import { area } from './area.js';
import type { DiscoveryArea } from './discovery.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import { importancesIn, type Streams } from './events-moving.js';
import { shockNotices } from './shock-notices.js';

type On = Streams & {
  readonly edges: ActingEdges;
  readonly identity: IdentityArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly discovery: DiscoveryArea;
};

/** Grading waits so long for the read models before it fails and begins again. */
const GRADING_WAITS_MS = 5_000;
/** Read models that say whom an event moves. */
const ENTERED_BY = [edgesProjection, eventsProjection, marketplaceProjection];
/** What workspaces publish is remembered: most events are of streams that nobody subscribes to. */
const PUBLISHED = {
  ...{ ttlMs: 10_000, size: 20_000, letters: 16 * 1024 * 1024 },
  clock: () => performance.now(),
};

/** Shocks of goals: entered by events, blended into forecasts, graded, and left. */
export const shocksArea = (kernel: Kernel, on: On) => {
  const { clock, newId, log, load, visibleIn, read } = kernel;
  const { identity, goals, forecasts, edges, marketplace } = on;
  const queries = shockQueries(read(shocksProjection));
  const commands = shockCommands(kernel);
  const visible = visibleIn(shocksProjection);
  const importances = importancesIn(on);
  const isArchived = async (workspace: string): Promise<boolean> =>
    (await identity.directory.workspace(workspace))?.archivedAt !== null;
  const listings = remembering<ListingDoc[]>(PUBLISHED);
  const subscribed = async (workspace: string, stream: string): Promise<Place[]> => {
    const found: Place[] = [];
    for (const { _id: listingId, streams } of await listings.get(workspace, marketplace.queries.published)) {
      if (!streams.includes(stream)) continue;
      const alias = aliasOf('stream', { listingId, key: stream });
      for (const subscriber of await marketplace.queries.subscribersOf(listingId))
        found.push({ workspace: subscriber, stream: alias });
    }
    return found;
  };
  const standing = async (workspace: string, goalId: string) => {
    const doc = await goals.queries.goal(workspace, goalId);
    const state = (await queries.ofGoal(workspace, goalId))?.state.episode?.state;
    return doc && { status: doc.status, shock_state: state ?? 'normal' };
  };
  return area({
    name: 'shocks',
    ...{ commands, queries },
    frames: { of: shockFrames(standing), shown: visibleIn(shocksProjection, goalsProjection) },
    notices: shockNotices,
    reactors: [
      shockEntry({
        ...{ edges, subscribed, importances, isArchived, goals: goals.commands, shocks: commands },
        issuing: forecasts.issuing,
        published: listings.forget,
        async caughtUp(position) {
          const held = ENTERED_BY.map(each => kernel.caughtUp(each, position, GRADING_WAITS_MS));
          return (await Promise.all(held)).every(Boolean);
        },
      }),
      shockRechecks({ start: on.discovery.commands }),
      shockGrading({
        ...{ queries, shocks: commands, forecasts: forecasts.queries },
        caughtUp: position => kernel.caughtUp(shocksProjection, position, GRADING_WAITS_MS),
      }),
    ],
    schedulers: {
      shocks: () =>
        shockUpkeep({
          ...{ queries, edges, isArchived, goals: goals.commands, shocks: commands },
          ...{ clock, newId, visible, log },
          acts: async (workspace, edgeId) => {
            const { status } = await load(edgesDecider, edgeJournalId(workspace, edgeId));
            return status !== 'none' && ACTING.includes(status);
          },
          // One that was moved is no longer where it acted; one that is subscribed to may be seen no more
          async hasEvent(workspace, { eventId, stream, occurredAt }) {
            const place = await marketplace.queries.resolve(workspace, 'stream', stream);
            const event = place && (await load(occurrences, eventJournalId(place.workspace, eventId)));
            return event?.occurredAt === occurredAt;
          },
        }),
    },
    rows: shockRows({
      ...{ commands, queries, edges, importances, clock, visible, goal: goals.commands.state },
      targetOf: forecasts.targetOf,
      isStream: (workspace, stream) =>
        on.discovery.isThere(workspace, { kind: 'event_stream', sourceKey: stream }),
    }),
  });
};
export type ShocksArea = ReturnType<typeof shocksArea>;
