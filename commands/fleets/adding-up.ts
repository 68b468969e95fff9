import { hierarchyOf, nodesApart, nodesTogether, type Node } from '../../domain/fleets/nodes.js';
import type { FleetSettings, Method } from '../../domain/fleets/settings.js';
import { meansIn, windowOf, type Leaf, type Window } from '../../domain/fleets/window.js';
import { TookTooLong, TooMuchMemory } from '../../domain/maths/compute.js';
import { topDown } from '../../domain/maths/reconciliation/reconcile.js';
import { olsWeights, structuralWeights, type Weights } from '../../domain/maths/reconciliation/weights.js';
import { errorWeights, type Computing } from './past-errors.js';
import { LEAST_STEPS, sumsForecast, type SumsDeps, type Warning } from './sums.js';

export type AddedUp = {
  readonly window: Window;
  readonly nodes: readonly Node[];
  /** What was done, where what was asked for could not be. */
  readonly method: Method;
  /** What forecast the sums; null: nothing did. */
  readonly model: string | null;
  /** How much the errors' covariance was shrunk, and of how many errors each it was made. */
  readonly shrinkage: { readonly intensity: number; readonly errors: number } | null;
  readonly warnings: readonly Warning[];
};

/**
 * The forecasts of a fleet's goals and of their sums, over the steps that most have, by the fleet's method.
 * Null: there is no forecast yet. What is equal gives equal bits.
 */
export async function addedUp(
  deps: SumsDeps & Computing,
  workspace: string,
  { reconciliation }: Pick<FleetSettings, 'reconciliation'>,
  all: readonly Leaf[],
  signal: AbortSignal,
): Promise<AddedUp | null> {
  const window = windowOf(all);
  if (!window) return null;
  const hierarchy = hierarchyOf(window, reconciliation);
  const means = meansIn(window);
  const { method } = reconciliation;
  const fromBottom = (warnings: readonly Warning[]): AddedUp => {
    const nodes = nodesTogether({ window, hierarchy, means, base: null });
    return { window, nodes, method: 'bottom_up', model: null, shrinkage: null, warnings };
  };
  if (method === 'bottom_up') return fromBottom([]);
  const sums = await sumsForecast(deps, workspace, window, hierarchy, signal);
  if (!sums) return fromBottom([SHORT]);
  const { made: base, name: model, warnings } = sums;
  const above = base.map(({ mean }) => mean);
  const told = { window, method, model, warnings, shrinkage: null };
  const together = (moved: readonly Float64Array[]): Node[] =>
    nodesTogether({ window, hierarchy, means: moved, base });
  const reconciled = async (weights: Weights): Promise<Node[]> => {
    const { bottom, sums: places } = hierarchy;
    const asked = { hierarchy: { bottom, sums: places }, base: { above, bottom: means }, weights };
    return together(await deps.compute.run('reconcile', asked, { lane: workspace, signal }));
  };
  try {
    switch (method) {
      case 'none':
        return { ...told, nodes: nodesApart({ window, hierarchy, means, base }) };
      case 'top_down':
        return { ...told, nodes: together(topDown(above[0]!, means)) };
      case 'ols':
        return { ...told, nodes: await reconciled(olsWeights(hierarchy)) };
      case 'wls_struct':
        return { ...told, nodes: await reconciled(structuralWeights(hierarchy)) };
      case 'mint_shrink': {
        const shrunk = await errorWeights(deps, workspace, { window, hierarchy, ...sums }, signal);
        const nodes = await reconciled(shrunk?.weights ?? structuralWeights(hierarchy));
        if (!shrunk) return { ...told, nodes, method: 'wls_struct', warnings: [...warnings, FEW_ERRORS] };
        const { intensity, errors } = shrunk;
        return { ...told, nodes, shrinkage: { intensity, errors } };
      }
    }
  } catch (error) {
    if (!(error instanceof TookTooLong) && !(error instanceof TooMuchMemory)) throw error;
    return fromBottom([...warnings, TOO_MANY]);
  }
}

const TOO_MANY: Warning = {
  code: 'sums_too_many',
  message: 'There are too many groups to be reconciled: sums are added up from the bottom',
};
const SHORT: Warning = {
  code: 'sums_not_forecast',
  message:
    `The entities have fewer than ${LEAST_STEPS} steps of common past, or a target is gone: `
    + 'sums are added up from the bottom',
};
const FEW_ERRORS: Warning = {
  code: 'errors_too_few',
  message: 'There is too little past to know how errors go together: structural weights were taken',
};
