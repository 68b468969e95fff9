import type { SeriesForecasted } from '../inference/forecasting.js';
import { addingUp } from '../maths/reconciliation/exact.js';
import { summed, type Hierarchy } from '../maths/reconciliation/hierarchy.js';
import { grouped } from './entities.js';
import { ENTITY, TOTAL, type FleetSettings } from './settings.js';
import { meansIn, quantilesIn, type Window } from './window.js';

/** A forecast of a fleet: of an entity, or of a sum of them. */
export type Node = {
  readonly level: string;
  readonly id: string;
  /** Null: of a sum. */
  readonly goalId: string | null;
  /** How many entities it is the sum of. */
  readonly entities: number;
  readonly mean: Float64Array;
  /** For each level. */
  readonly quantiles: readonly Float64Array[];
  /** Of the sum as one series, for each level; null: of an entity, or it was not forecast by itself. */
  readonly own: readonly Float64Array[] | null;
};

/** The entities of a window, and the sums of them that a fleet asks for: of all, and of each group. */
export type FleetHierarchy = Hierarchy & {
  readonly names: readonly { readonly level: string; readonly id: string }[];
};

export function hierarchyOf({ leaves }: Window, { levels }: FleetSettings['reconciliation']): FleetHierarchy {
  const entities = leaves.map(({ entity }) => entity);
  const groups = levels.flatMap(({ name, groupBy }) =>
    grouped(groupBy, entities).map(([id, places]) => ({ level: name, id, places })),
  );
  const all = [{ level: TOTAL, id: TOTAL, places: entities.map((_, i) => i) }, ...groups];
  return {
    bottom: leaves.length,
    sums: all.map(({ places }) => places),
    names: all.map(({ level, id }) => ({ level, id })),
  };
}

type Parts = {
  readonly window: Window;
  readonly hierarchy: FleetHierarchy;
  /** Of entities, as they are to be. */
  readonly means: readonly Float64Array[];
  /** Of the sums by themselves; null: there are none. */
  readonly base: readonly SeriesForecasted[] | null;
};

/**
 * Forecasts that add up: entities' quantiles move with their means, and all is rounded so that sums are exact
 * (`addingUp`). Means of sums are sums of means, and so are quantiles.
 */
export function nodesTogether({ window, hierarchy, means, base }: Parts): Node[] {
  const before = meansIn(window);
  const exact = addingUp(means);
  const quantiles = window.levels.map(level =>
    addingUp(
      quantilesIn(window, level).map((column, i) =>
        column.map((value, h) => means[i]![h]! + (value - before[i]![h]!)),
      ),
    ),
  );
  const sums = hierarchy.sums.map((places, k): Node => {
    const mean = summed(exact, places);
    return {
      ...{ ...hierarchy.names[k]!, goalId: null, entities: places.length, mean },
      quantiles: quantiles.map(columns => summed(columns, places)),
      own: base && around(window, base[k]!, mean),
    };
  });
  return [...sums, ...leavesOf(window, exact, quantiles)];
}

/** Forecasts as they were made, which do not add up. */
export function nodesApart({ window, hierarchy, means, base }: Parts): Node[] {
  const sums = hierarchy.sums.map((places, k): Node => {
    const { mean } = base![k]!;
    const own = around(window, base![k]!, mean);
    return {
      ...{ ...hierarchy.names[k]!, goalId: null, entities: places.length, mean },
      ...{ quantiles: own, own },
    };
  });
  const quantiles = window.levels.map(level => quantilesIn(window, level));
  return [...sums, ...leavesOf(window, means, quantiles)];
}

const leavesOf = (
  { leaves }: Window,
  means: readonly Float64Array[],
  quantiles: readonly (readonly Float64Array[])[],
): Node[] =>
  leaves.map(({ entity, goalId }, i) => ({
    ...{ level: ENTITY, id: entity, goalId, entities: 1, mean: means[i]! },
    ...{ quantiles: quantiles.map(columns => columns[i]!), own: null },
  }));

/** Quantiles of a forecast, moved to another mean. */
const around = ({ levels }: Window, base: SeriesForecasted, mean: Float64Array): Float64Array[] =>
  levels.map(level => {
    const { values } = base.quantiles.find(one => one.level === level)!;
    return values.map((value, h) => mean[h]! + (value - base.mean[h]!));
  });
