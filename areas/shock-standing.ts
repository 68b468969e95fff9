import type { InShock } from '../api/goals/deps.js';
import { shockView } from '../api/shocks/views.js';
import { factsThen, stateThen } from '../commands/engine/then.js';
import { readInTurns } from '../commands/engine/turns.js';
import { adjusting } from '../commands/shocks/adjusting.js';
import { barAt } from '../commands/shocks/qualifying.js';
import { shockCommands } from '../commands/shocks/records.js';
import type { Adjustment } from '../domain/forecasts/composing.js';
import type { ActingEdges } from '../domain/goals/ports.js';
import { shockJournalId, shocks } from '../domain/shocks/decider.js';
import type { ShockState } from '../domain/shocks/state.js';
import { shocksProjection } from '../projections/shocks/projection.js';
import { shockQueries } from '../projections/shocks/queries.js';
import type { DeploymentsArea } from './deployments.js';
import { actingThen } from './edges-then.js';
import { aheadIn, importancesIn, pastIn, type Streams } from './events-moving.js';
import { forecastingOf } from './forecasting.js';
import type { Histories } from './histories.js';
import type { Kernel } from './kernel.js';

/** Null: it is as it normally is. */
function inShock({ episode, blend }: ShockState, at: number): InShock | null {
  if (episode === null || episode.state === 'over') return null;
  return { state: episode.state, shown: shockView(episode, blend, at) };
}

/** What is asked of shocks by what they are built on. */
export const shocksOf = (kernel: Kernel) => {
  const queries = shockQueries(kernel.read(shocksProjection));
  const stateOf = stateThen(factsThen(kernel.stores.events));
  return {
    effects: queries.effects,
    /** Goals that are not as they normally are. */
    async ofGoals(workspace: string, goalIds: readonly string[]): Promise<Map<string, InShock>> {
      const found = new Map<string, InShock>();
      for (const [goalId, { state }] of await queries.ofGoals(workspace, goalIds)) {
        const shock = inShock(state, kernel.clock());
        if (shock) found.set(goalId, shock);
      }
      return found;
    },
    /** Those that were not as they normally are at a moment, epoch ms. */
    async ofGoalsThen(workspace: string, goalIds: readonly string[], asOf: number) {
      const found = new Map<string, InShock>();
      const had = [...(await queries.ofGoals(workspace, goalIds)).keys()];
      await readInTurns(workspace, had, async goalId => {
        const shock = inShock(await stateOf(shocks, shockJournalId(workspace, goalId), asOf), asOf);
        if (shock) found.set(goalId, shock);
      });
      return found;
    },
    /** How important an event of a stream must be now; `given`: by the goal's option. */
    bar: (on: Streams) => async (workspace: string, goalId: string, stream: string, given: number | null) => {
      const state = await shockCommands(kernel).state({ workspace, goalId });
      const importances = importancesIn(on);
      return barAt({ importances }, workspace, given, state, stream, kernel.clock());
    },
    /** How events and shocks move goals' forecasts. */
    adjustment(
      on: Streams & {
        readonly edges: ActingEdges;
        readonly deployments: DeploymentsArea;
        readonly histories: Histories;
        readonly isServing: boolean;
      },
    ): Adjustment {
      const { forecastBy, generalist } = forecastingOf(kernel, on);
      const commands = shockCommands(kernel);
      const acted = actingThen(kernel);
      return adjusting({
        edges: (workspace, goalId, asOf) =>
          asOf === null ? on.edges.ofGoal(workspace, goalId) : acted(workspace, goalId, asOf),
        ahead: aheadIn(on),
        past: pastIn(on),
        shocks: (workspace, goalId, asOf) =>
          asOf === null
            ? commands.state({ workspace, goalId })
            : stateOf(shocks, shockJournalId(workspace, goalId), asOf),
        ...{ forecastBy, generalist, log: kernel.log },
      });
    },
  };
};
