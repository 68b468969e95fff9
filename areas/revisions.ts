import { revisionRows } from '../api/revisions/rows.js';
import { notingOf } from '../commands/revisions/noting.js';
import { revisionCommands } from '../commands/revisions/records.js';
import { events as eventDecider } from '../domain/events/decider.js';
import type { LiveEvent } from '../domain/events/state.js';
import { fold } from '../domain/decider.js';
import { stepKept } from '../domain/goals/steps.js';
import { START, type Fact } from '../domain/fact.js';
import { revisionFrames } from '../domain/revisions/frames.js';
import { REVISABLE, type EdgesRevised } from '../domain/revisions/ports.js';
import type { Context } from '../commands/engine/handle.js';
import { LATEST } from '../domain/time.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { revisionsProjection } from '../projections/revisions/projection.js';
import { revisionQueries } from '../projections/revisions/queries.js';
import { segmentsProjection } from '../projections/segments/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { checkpointOf } from '../workers/engine/reactor.js';
import { HISTORY_REVISION, historyRevision } from '../workers/history-revision.js';
import { RevisionUses } from '../workers/revision-uses.js';
import { revisionWork } from '../workers/revisions.js';
import { area } from './area.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import { revisionNotices } from './revision-notices.js';
import type { SegmentsArea } from './segments.js';
import type { SignalsArea } from './signals.js';
import type { TournamentsArea } from './tournaments.js';

type On = {
  readonly identity: IdentityArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly segments: SegmentsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly tournaments: TournamentsArea;
  readonly edges: EdgesRevised<Context>;
};

/** Read models that say what is used, and what came late. */
const SEEN_BY = [
  edgesProjection,
  goalsProjection,
  segmentsProjection,
  signalsProjection,
  marketplaceProjection,
];
/** The reactor waits so long for them before it fails and begins again. */
const WAITS_MS = 5_000;
/** A leader is another one after some seconds at the earliest: until then it has seen every fact itself. */
const USES_FRESH_MS = 1_000;

/** What came late, or was changed, is history that is made anew: features, edges, scores. */
export const revisionsArea = (kernel: Kernel, on: On) => {
  const { config, clock, newId, log, read, stores, visibleIn, caughtUp } = kernel;
  const { goals, forecasts, tournaments, segments, signals, identity, edges } = on;
  const queries = revisionQueries(read(revisionsProjection));
  const commands = revisionCommands(kernel);
  const visible = visibleIn(revisionsProjection);
  const note = notingOf({
    commands,
    firstClosingAfter: queries.firstClosingAfter,
    mergeMs: config.REVISION_MERGE_MS,
  });
  return area({
    name: 'revisions',
    ...{ commands, queries },
    frames: { of: revisionFrames(goals.standing), shown: visible },
    notices: revisionNotices,
    reactors: [
      historyRevision({
        uses: usesOf(on, stores.shared ? USES_FRESH_MS : Infinity),
        note,
        async newestBefore(workspace, key, at) {
          const { times } = await signals.queries.newest(workspace, key, LATEST, 1, at - 1);
          return times[0] ?? null;
        },
        eventBefore: fact => eventBefore(kernel, fact),
        async caughtUp(position) {
          const held = await Promise.all(SEEN_BY.map(each => caughtUp(each, position, WAITS_MS)));
          return held.every(Boolean);
        },
      }),
    ],
    schedulers: {
      revisions: () =>
        revisionWork({
          ...{ commands, queries, edges, clock, newId, visible, log, head: stores.events.head },
          notedUpTo: () => stores.models.checkpoint(checkpointOf({ name: HISTORY_REVISION })),
          ...{ targetOf: forecasts.targetOf, forecastBy: forecasts.forecastBy, replaced: forecasts.replaced },
          goal: goals.commands.state,
          segments: segments.commands,
          startTournament: tournaments.commands.start,
          isArchived: async workspace => (await identity.directory.workspace(workspace))?.archivedAt !== null,
        }),
    },
    rows: revisionRows({
      queries,
      hasGoal: async (workspace, goalId) => (await goals.queries.goal(workspace, goalId)) !== null,
    }),
  });
};

const usesOf = ({ goals, segments, marketplace, edges }: On, freshMs: number): RevisionUses =>
  new RevisionUses({
    async *goals(workspace) {
      for await (const page of goals.queries.inForce(workspace))
        yield page.map(({ goal_id: goalId, target, segment_id: segmentId, state: { settings } }) => ({
          ...{ goalId, target, segmentId, ...stepKept(settings), cadenceS: settings.cadenceS },
        }));
    },
    recipe: async (workspace, segmentId) =>
      (await segments.queries.segment(workspace, segmentId))?.recipe ?? null,
    async sources(workspace, goalId) {
      const found = await edges.ofGoal(workspace, goalId);
      return found
        .filter(({ status }) => REVISABLE.includes(status))
        .map(({ kind, sourceKey: key }) => ({ kind: kind === 'signal' ? 'signal' : 'stream', key }) as const);
    },
    offers: marketplace.queries.offers,
    freshMs,
  });

/** An event as the facts before one of its own tell it. */
async function eventBefore({ stores }: Kernel, { journal, revision }: Fact): Promise<LiveEvent | null> {
  const facts = await stores.events.read(journal, START, Math.max(1, revision));
  const before = facts.filter(fact => fact.revision < revision);
  const state = fold(eventDecider, eventDecider.initialState, before);
  return state.status === 'none' ? null : state;
}
