import { NO_CALLS } from '../../domain/deployments/figures.js';
import { NoWorkers, type ServingPool } from '../../commands/serving-pool.js';

/** The pool of a platform whose processes do not serve: deployments wait for one that does. */
export const nobody: ServingPool = {
  forecaster: ({ model: { slug, version, tasks, maxContext, maxHorizon } }) => ({
    ...{ slug, version, tasks },
    caps: { context: maxContext, horizon: maxHorizon },
    forecast: async () => {
      throw new NoWorkers();
    },
  }),
  ready: () => 0,
  workers: () => 0,
  figures: async () => NO_CALLS,
  called: async () => new Map(),
  end: async () => undefined,
  close: async () => undefined,
};
