import type { Endings } from '../adapters/endings.js';
import type { EventDeps } from '../api/events/deps.js';
import { eventRows } from '../api/events/rows.js';
import { eventCommands } from '../commands/events.js';
import { eventFrames } from '../domain/events/frames.js';
import { eventsProjection } from '../projections/events/projection.js';
import { eventQueries } from '../projections/events/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import { eventReads } from '../projections/marketplace/event-reads.js';
import { dueScheduler } from '../workers/due.js';
import { latecomers } from '../workers/latecomers.js';
import { scoring } from '../workers/scoring.js';
import { area } from './area.js';
import { cadencesOf } from './cadences.js';
import { edgesOf } from './edges.js';
import { eventsPast } from './events-past.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import { profilesOf } from './profiles.js';
import { openScorer, scorerThreads } from './scorer.js';
import { scoringRoom } from './scoring-room.js';
import { watchedReactor } from './watching.js';

type On = {
  readonly identity: IdentityArea;
  readonly marketplace: MarketplaceArea;
  readonly effects: EventDeps['effects'];
};

/** Scoring waits so long for the read models before it fails and begins again. */
const SCORING_WAITS_MS = 5_000;
/** Scorings under way for each thread: one is at work, others are being prepared or written. */
const SCORINGS_A_THREAD = 4;
/** Of those that are given their turn ahead of their place in the log. */
const AHEAD_A_THREAD = 2;

/** Dated texts under named streams, each scored; the scorer runs where this process works. */
export const eventsArea = async (kernel: Kernel, { identity, marketplace, effects }: On, ends: Endings) => {
  const { config, stores, handle, tryOut, load, clock, newId, log, watcher, caughtUp, visibleIn, read } =
    kernel;
  const profileOf = profilesOf(kernel, identity);
  const visible = visibleIn(eventsProjection);
  const documents = read(eventsProjection);
  const queries = eventQueries(documents);
  const room = scoringRoom({
    ...{ queries, log },
    ofWorkspace: config.SCORING_BACKLOG_PER_WORKSPACE,
    ofAll: config.SCORING_BACKLOG_MAX,
  });
  const cadences = cadencesOf(kernel);
  const commands = eventCommands(handle, room, cadences.smallest);
  const tried = eventCommands(tryOut, room, cadences.smallest);
  const reads = eventReads(documents, marketplace.queries);
  const edges = edgesOf(kernel);
  const goals = goalQueries(read(goalsProjection));
  const driving: EventDeps['driving'] = async (workspace, goalId) => {
    if (!(await goals.goal(workspace, goalId))) return null;
    const acting = await edges.ofGoal(workspace, goalId);
    return acting.flatMap(({ kind, sourceKey }) => (kind === 'event_stream' ? sourceKey : []));
  };
  const then = eventsPast(kernel, marketplace);
  const scorer = kernel.running.includes('workers') ? ends.keep(await openScorer(kernel)) : null;
  const scores =
    scorer
    && scoring({
      scorer: watcher ? watcher.scorer(scorer) : scorer,
      ...{ profileOf, queries, log },
      concurrency: SCORINGS_A_THREAD * scorerThreads(config),
      caughtUp: position => caughtUp(eventsProjection, position, SCORING_WAITS_MS),
    });
  return area({
    name: 'events',
    ...{ commands, tried, queries, reads, then, visible, profileOf },
    rows: eventRows({
      ...{ commands, tried, queries, reads, driving, effects, then, clock, visible },
      edges: edges.summaries,
    }),
    reactors: scores ? [scores] : [],
    frames: {
      shown: visible,
      of: eventFrames(async (workspace, eventId) => {
        const found = await queries.event(workspace, eventId);
        if (!found) return null;
        const { key, status, occurred_at: occurredAt, scores: of } = found;
        return { key, status, occurredAt, rank: of?.rank ?? null };
      }, edges.driven),
    },
    schedulers: {
      ...(scores && {
        latecomers: () =>
          latecomers({
            reactor: watchedReactor(scores, watcher),
            ...{ queries, clock, log, deps: { handle, load } },
            ...{ store: stores.events, models: stores.models },
            concurrency: AHEAD_A_THREAD * scorerThreads(config),
          }),
      }),
      due: () => dueScheduler({ queries, handle, clock, newId, visible, log }),
    },
    projected: cadences.projected,
    /** Events that wait for a score. */
    backlog: async () => (await queries.totals()).pending,
  });
};
export type EventsArea = Awaited<ReturnType<typeof eventsArea>>;
