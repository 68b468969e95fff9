import { factsThen, stateThen } from '../commands/engine/then.js';
import { answeringOf } from '../commands/forecasts/answering.js';
import { forecastBy } from '../commands/forecasts/forecast-by.js';
import type { GoalsAsked } from '../commands/inference/goals.js';
import type { Adjustment } from '../domain/forecasts/composing.js';
import { NOTHING_TRACKED } from '../domain/forecasts/tracker.js';
import { goalJournalId, goals } from '../domain/goals/decider.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { forecastQueries } from '../projections/forecasts/queries.js';
import type { DeploymentsArea } from './deployments.js';
import { forecastingOf } from './forecasting.js';
import { forecastsThen } from './forecasts-then.js';
import type { Histories } from './histories.js';
import type { Kernel } from './kernel.js';

type On = {
  readonly deployments: DeploymentsArea;
  readonly histories: Histories;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
  /** What moves forecasts between model and calibration, in this order. */
  readonly adjustments: readonly Adjustment[];
};

/** What inferences ask of goals. */
export function goalsAsked(kernel: Kernel, on: On): GoalsAsked {
  const { compute, load, log, read, stores } = kernel;
  const { deployments, histories, adjustments } = on;
  const { targetOf, generalist, replaced } = forecastingOf(kernel, on);
  const { served, inAnyState, zeroShot } = deployments;
  const queries = forecastQueries(read(forecastsProjection));
  const { latestThen } = forecastsThen(kernel);
  const stateOf = stateThen(factsThen(stores.events));
  return answeringOf({
    ...{ served, inAnyState, zeroShot, compute, remembered: histories.remembered },
    ...{ targetOf, generalist, replaced, adjustments, log },
    forecastBy: forecastBy({ served: inAnyState, zeroShot, compute, remembered: histories.remembered }),
    goal: (workspace, goalId, asOf) => {
      const id = goalJournalId(workspace, goalId);
      return asOf === null ? load(goals, id) : stateOf(goals, id, asOf);
    },
    async record(workspace, goalId, asOf) {
      if (asOf === null) {
        const known = await queries.records(workspace, [goalId]);
        return known.get(goalId)?.tracker ?? NOTHING_TRACKED;
      }
      // The newest forecast of then says what was known of those before it
      const then = await latestThen(workspace, goalId, asOf);
      if (!then) return NOTHING_TRACKED;
      const { widened, record } = then.issued;
      return { logs: widened.map(factor => Math.log(factor)), ...record };
    },
  });
}
