import { shockRows } from '../api/shocks/rows.js';
import { shockCommands } from '../commands/shocks/records.js';
import { edgeJournalId, edges as edgesDecider } from '../domain/edges/decider.js';
import { eventJournalId } from '../domain/events/decider.js';
import { ACTING, type ActingEdges } from '../domain/goals/ports.js';
import { shockFrames } from '../domain/shocks/frames.js';
import { occurrences } from '../domain/shocks/occurrence.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { eventsProjection } from '../projections/events/projection.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { shocksProjection } from '../projections/shocks/projection.js';
import { shockQueries } from '../projections/shocks/queries.js';
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
/** Shocks of goals: entered by events, blended into forecasts, graded, and left. */
export const shocksArea = (kernel: Kernel, on: On) => {
  const { clock, newId, log, load, visibleIn, read } = kernel;
  const { identity, goals, forecasts, edges } = on;
  const queries = shockQueries(read(shocksProjection));
  const commands = shockCommands(kernel);
  const visible = visibleIn(shocksProjection);
  const importances = importancesIn(on);
  const isArchived = async (workspace: string): Promise<boolean> =>
    (await identity.directory.workspace(workspace))?.archivedAt !== null;
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
        ...{ edges, importances, isArchived, goals: goals.commands, shocks: commands },
        issuing: forecasts.issuing,
        caughtUp: async position =>
          (await kernel.caughtUp(edgesProjection, position, GRADING_WAITS_MS))
          && kernel.caughtUp(eventsProjection, position, GRADING_WAITS_MS),
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
          // One that was moved is no longer where it acted
          hasEvent: async (workspace, { eventId, occurredAt }) =>
            (await load(occurrences, eventJournalId(workspace, eventId)))?.occurredAt === occurredAt,
        }),
    },
    rows: shockRows({ commands, queries, edges, importances, clock, visible, goal: goals.commands.state }),
  });
};
export type ShocksArea = ReturnType<typeof shocksArea>;
