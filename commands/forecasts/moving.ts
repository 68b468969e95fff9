import { asMade, type Adjustment, type Composed, type Making } from '../../domain/forecasts/composing.js';
import type { GoalModel } from '../../domain/goals/model.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import type { ForecastWanted, InferenceSeries } from '../../domain/inference/forecasting.js';

/** A forecast that was moved, and what was known of each thing that moves forecasts. */
export type Moved = { readonly moved: Composed; readonly known: readonly unknown[] };

/** Moves a forecast by one thing after the other. `known`: of each what was known once; absent: what is. */
export async function movedBy(
  adjustments: readonly Adjustment[],
  making: Making,
  made: Composed,
  known?: readonly unknown[],
): Promise<Moved> {
  let moved = made;
  const all: unknown[] = [];
  for (const [i, adjustment] of adjustments.entries()) {
    const of = known ? known[i] : await adjustment.known(making, moved);
    moved = await adjustment.moved(making, moved, of);
    all.push(of);
  }
  return { moved, known: all };
}

/** How a forecast's own model is asked for other values on the same steps. */
export const otherBy =
  (
    forecastBy: ForecastBy,
    workspace: string,
    model: GoalModel,
    series: InferenceSeries,
    wanted: ForecastWanted,
  ): Making['other'] =>
  async values => {
    const never = new AbortController().signal;
    const [made] = await forecastBy(workspace, model, [{ ...series, values }], wanted, never);
    return asMade(made!);
  };
