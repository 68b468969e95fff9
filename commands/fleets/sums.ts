import { pastsOf, seriesOf, sumsOf, MOST_STEPS } from '../../domain/fleets/pasts.js';
import type { FleetHierarchy } from '../../domain/fleets/nodes.js';
import type { Window } from '../../domain/fleets/window.js';
import { SEASONAL_NAIVE, type ServedModel, type SingleModel } from '../../domain/goals/model.js';
import type { ForecastBy, TargetOf } from '../../domain/goals/ports.js';
import type { SeriesForecasted } from '../../domain/inference/forecasting.js';
import { Rejected } from '../../domain/rejected.js';

export type SumsDeps = {
  readonly targetOf: TargetOf;
  readonly forecastBy: ForecastBy;
  /** What forecasts sums; null: no model is served here. */
  readonly generalist: () => Promise<{ readonly model: ServedModel; readonly name: string } | null>;
};
export type Warning = { readonly code: string; readonly message: string };

/** Forecasts of sums, each as a series of its own, by one model; the histories of the entities. */
export type Sums = {
  readonly pasts: readonly Float64Array[];
  readonly made: readonly SeriesForecasted[];
  readonly model: SingleModel;
  readonly name: string;
  readonly warnings: readonly Warning[];
};

/** A sum needs so many steps of the past to be forecast. */
export const LEAST_STEPS = 24;
/** Targets that are read at a time. */
const READ_AT_ONCE = 16;

/** By the generalist, else by seasonal naive. Null: there is too little past, or a target is gone. */
export async function sumsForecast(
  deps: SumsDeps,
  workspace: string,
  window: Window,
  hierarchy: FleetHierarchy,
  signal: AbortSignal,
): Promise<Sums | null> {
  const pasts = await readPasts(deps, workspace, window);
  if (!pasts || pasts[0]!.length < LEAST_STEPS) return null;
  const series = sumsOf(hierarchy, pasts).map((values, k) => {
    const { level, id } = hierarchy.names[k]!;
    return seriesOf(window, values, { id: `${level}/${id}`, period: null, before: 0 });
  });
  const wanted = {
    ...{ horizon: window.times.length, levels: [...new Set([...window.levels, 0.5])].sort((a, b) => a - b) },
    ...({ fill: 'linear', explain: false, lookback: MOST_STEPS } as const),
  };
  const generalist = await deps.generalist();
  const warnings: Warning[] = [];
  if (generalist)
    try {
      const made = await deps.forecastBy(workspace, generalist.model, series, wanted, signal);
      return { pasts, made, ...generalist, warnings };
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      warnings.push({ code: 'generalist_unavailable', message: error.message });
    }
  const made = await deps.forecastBy(workspace, SEASONAL_NAIVE, series, wanted, signal);
  return { pasts, made, model: SEASONAL_NAIVE, name: 'seasonal naive', warnings };
}

async function readPasts({ targetOf }: SumsDeps, workspace: string, window: Window) {
  const found = [];
  for (let from = 0; from < window.leaves.length; from += READ_AT_ONCE) {
    const some = window.leaves.slice(from, from + READ_AT_ONCE);
    const read = some.map(async ({ settings }) => {
      const { series } = await targetOf(workspace, settings, { asOf: null, most: MOST_STEPS });
      return { start: series.start, values: series.values };
    });
    try {
      found.push(...(await Promise.all(read)));
    } catch (error) {
      if (error instanceof Rejected && error.kind !== 'unavailable') return null;
      throw error;
    }
  }
  return pastsOf(window, found);
}
