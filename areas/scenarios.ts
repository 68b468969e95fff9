import { scenarioRows } from '../api/scenarios/rows.js';
import { newId } from '../commands/engine/ids.js';
import { forecastRecords } from '../commands/forecasts/records.js';
import { scenarioCommands } from '../commands/scenarios/records.js';
import type { BasingDeps } from '../commands/scenarios/basing.js';
import { createScenario, runScenario } from '../commands/scenarios/starting.js';
import { scenarioFrames } from '../domain/scenarios/frames.js';
import { scenariosProjection } from '../projections/scenarios/projection.js';
import { scenarioQueries } from '../projections/scenarios/queries.js';
import { scenarioWork } from '../workers/scenarios.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { Kernel } from './kernel.js';
import { actingThen } from './edges-then.js';
import { eventsThen } from './events-then.js';
import type { EventsArea } from './events.js';

type On = {
  readonly billing: BillingArea;
  readonly events: EventsArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
};

/** What goals' forecasts would be if something else were so. */
export const scenariosArea = (kernel: Kernel, on: On) => {
  const { handle, load, read, clock, log, visibleIn } = kernel;
  const { billing, events, goals, forecasts } = on;
  const { credits } = billing;
  const queries = scenarioQueries(read(scenariosProjection));
  const commands = scenarioCommands({ handle, load, credits });
  const tried = scenarioCommands({ handle: kernel.tryOut, load, credits: noCredits });
  const records = forecastRecords({ handle, load });
  const visible = visibleIn(scenariosProjection);
  const basing: BasingDeps = {
    goal: goals.commands.state,
    async forecast(workspace, forecastId) {
      const found = await records.state(workspace, forecastId);
      return found.status === 'issued' ? found.issued : null;
    },
    async latest(workspace, goalId) {
      const whenever = { from: null, to: null };
      const page = { limit: 1, offset: 0 };
      const { items } = await forecasts.queries.forecasts(workspace, goalId, whenever, page);
      // What it follows from is kept in the log alone
      return items[0] ? basing.forecast(workspace, items[0].issued.forecastId) : null;
    },
  };
  const deps = {
    ...basing,
    ...{ commands, credits, edges: actingThen(kernel), events: eventsThen(events) },
    ...{ targetOf: forecasts.targetOf, forecastBy: forecasts.forecastAgain },
  };
  return area({
    name: 'scenarios',
    ...{ queries, commands },
    frames: { of: scenarioFrames, shown: visible },
    schedulers: {
      scenarios: () => scenarioWork({ ...deps, queries, clock, newId: kernel.newId, visible, log }),
    },
    rows: scenarioRows({
      ...{ queries, commands, tried, clock, visible },
      create: (...of) => createScenario(deps, ...of),
      run: (...of) => runScenario(deps, ...of),
      newScenarioId: () => newId('scn_'),
      hasGoal: async (workspace, goalId) => (await goals.queries.goal(workspace, goalId)) !== null,
    }),
  });
};
/** Of dry runs: nothing is charged or given back. */
const noCredits = { charge: () => undefined, release: () => undefined };

export type ScenariosArea = ReturnType<typeof scenariosArea>;
