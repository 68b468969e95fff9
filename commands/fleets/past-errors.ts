import { seriesOf, sumsOf } from '../../domain/fleets/pasts.js';
import type { Window } from '../../domain/fleets/window.js';
import type { SingleModel } from '../../domain/goals/model.js';
import type { ForecastBy } from '../../domain/goals/ports.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import type { Compute } from '../../domain/maths/compute.js';
import type { Hierarchy } from '../../domain/maths/reconciliation/hierarchy.js';
import type { Shrunk } from '../../domain/maths/reconciliation/weights.js';
import type { Tasks } from '../../domain/maths/tasks.js';

/** The linear algebra, which for many nodes takes seconds, is done elsewhere. */
export type Computing = { readonly compute: Pick<Compute<Tasks>, 'run'> };

type About = {
  readonly window: Window;
  readonly hierarchy: Hierarchy;
  /** Histories of the bottom, of equal length. */
  readonly pasts: readonly Float64Array[];
  /** Forecasts of the sums, and the model that made them. */
  readonly made: readonly SeriesForecasted[];
  readonly model: SingleModel;
};

/** Forecasts of the past that are made at most, over all nodes. */
const MOST_FORECASTS = 6_000;
const MOST_ERRORS = 48;
const LEAST_ERRORS = 8;
/** Each has so many steps before it at least. */
const LEAST_BEFORE = 24;
/** And reads so many at most. */
const READS = 512;

/**
 * The covariance of the errors one step ahead at all nodes, in the newest steps, all by the model that
 * forecasts the sums: goals' own models differ, and have made no forecasts of sums. The more nodes, the fewer
 * steps; it is shrunk the more. Null: there is too little past, or no error.
 */
export async function errorWeights(
  { forecastBy, compute }: { readonly forecastBy: ForecastBy } & Computing,
  workspace: string,
  { window, hierarchy, pasts, made, model }: About,
  signal: AbortSignal,
): Promise<(Shrunk & { readonly errors: number }) | null> {
  const nodes = [...sumsOf(hierarchy, pasts), ...pasts];
  const length = nodes[0]!.length;
  const affordable = Math.max(LEAST_ERRORS, Math.floor(MOST_FORECASTS / nodes.length));
  const count = Math.min(MOST_ERRORS, affordable, length - LEAST_BEFORE);
  if (count < LEAST_ERRORS) return null;
  const periods = [...made.map(({ period }) => period), ...window.leaves.map(({ issued }) => issued.period)];
  const errors = nodes.map(() => new Float64Array(count));
  const wanted = {
    ...({ horizon: 1, levels: [0.5], fill: 'linear', explain: false, lookback: READS } as const),
    bands: 'model',
  } as const;
  for (let t = 0; t < count; t++) {
    const end = length - count + t;
    const series = nodes.map((values, i) =>
      seriesOf(window, values.subarray(Math.max(0, end - READS), end), {
        ...{ id: `${i}`, period: periods[i]!, before: count - t },
      }),
    );
    const forecasts = await forecastBy(workspace, model, series, wanted, signal);
    forecasts.forEach(({ mean }, i) => {
      errors[i]![t] = nodes[i]![end]! - mean[0]!;
    });
  }
  const shrunk = await compute.run('shrunkWeights', errors, { lane: workspace, signal });
  return shrunk && { ...shrunk, errors: count };
}
