import { discoveryRows } from '../api/discovery/rows.js';
import { discoveryCommands } from '../commands/discovery/records.js';
import { recheckingAll, startingOf } from '../commands/discovery/starting.js';
import { edgeCommands } from '../commands/edges/records.js';
import { discoveryFrames } from '../domain/discovery/frames.js';
import { edgeFrames } from '../domain/edges/frames.js';
import { discoveriesProjection } from '../projections/discovery/projection.js';
import { discoveryQueries } from '../projections/discovery/queries.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { edgeQueries } from '../projections/edges/queries.js';
import { eventsProjection } from '../projections/events/projection.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { signalLists } from '../projections/signals/lists.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { discoveryWork } from '../workers/discoveries.js';
import { edgeUpkeep } from '../workers/edge-upkeep.js';
import { area } from './area.js';
import { edgeNotices } from './edge-notices.js';
import { edgesThen } from './edges-then.js';
import { discoveryReads } from './discovery-reads.js';
import type { EventsArea } from './events.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly events: EventsArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  /** Asked of shocks: how important an event of a stream must be now; `given`: by the goal's option. */
  readonly bar: (workspace: string, goalId: string, stream: string, given: number | null) => Promise<number>;
};

/** Runs and the reactor wait so long for the read models before they fail and begin again. */
const WAITS_MS = 30_000;

/** What drives goals: looked for as known now, tested, and looked at again. */
export const discoveryArea = (kernel: Kernel, on: On) => {
  const { handle, load, read, clock, newId, log, compute, visibleIn } = kernel;
  const { events, marketplace, signals, goals, forecasts } = on;
  const queries = discoveryQueries(read(discoveriesProjection));
  const commands = discoveryCommands({ handle, load });
  const edges = {
    commands: edgeCommands({ handle, load }),
    queries: edgeQueries(read(edgesProjection)),
  };
  const goal = goals.commands.state;
  const start = startingOf({ commands, edges: edges.commands, goal, queries });
  const visible = visibleIn(discoveriesProjection, edgesProjection);
  const reads = discoveryReads({
    ...{ events, marketplace, signals },
    lists: signalLists(read(signalsProjection)),
  });
  const known = async (workspace: string, goalId: string) =>
    (await edges.queries.ofGoal(workspace, goalId)).map(({ state }) => state);
  const caughtUp = async (position: number): Promise<boolean> => {
    for (const each of [signalsProjection, eventsProjection, marketplaceProjection, edgesProjection])
      if (!(await kernel.caughtUp(each, position, WAITS_MS))) return false;
    return true;
  };
  return area({
    name: 'discovery',
    ...{ queries, edges, visible, isThere: reads.isThere, recheckAll: recheckingAll({ start, known }) },
    commands: { ...commands, ...start },
    frames: { of: { ...discoveryFrames(queries.after), ...edgeFrames }, shown: visible },
    notices: edgeNotices,
    reactors: [
      edgeUpkeep({
        ...{ edges: edges.commands, queries: edges.queries, discoveries: commands, start },
        ...{ goals: goals.commands, caughtUp },
      }),
    ],
    schedulers: {
      discoveries: () =>
        discoveryWork({
          ...{ commands, edges: edges.commands, queries, goal, reads, compute, known },
          ...{ clock, newId, visible, log, caughtUp, targetOf: forecasts.targetOf },
        }),
    },
    rows: discoveryRows({
      ...{ commands, queries, start, edges, clock, visible, isThere: reads.isThere },
      goal: goals.queries.goal,
      then: { ...edgesThen(kernel), goal: goals.goalThen },
      async barOf(workspace, goalId, stream) {
        const doc = await goals.queries.goal(workspace, goalId);
        return doc && on.bar(workspace, goalId, stream, doc.state.settings.options.importanceBar);
      },
    }),
  });
};
export type DiscoveryArea = ReturnType<typeof discoveryArea>;
