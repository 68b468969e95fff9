import { FRESH_MS, type Probed } from '../../commands/probing.js';
import { NO_CALLS, type Figures } from '../../domain/deployments/figures.js';
import { SERVED } from '../../domain/deployments/state.js';
import type { DeploymentDoc } from '../../projections/deployments/documents.js';
import type { DeploymentDeps } from './deps.js';

/** How a deployment does just now. */
export type Doing = {
  readonly figures: Figures;
  readonly probed: Probed;
  /** Workers that have its model loaded, and all there are. */
  readonly ready: number;
  readonly workers: number;
  /** Whether a forward pass through the live path has just worked. */
  readonly isReady: boolean;
};

const NOT_PROBED: Probed = { probes: [], since: 0 };

/** What is not in the read models: asked of those who serve. */
export async function doingOf(
  doc: DeploymentDoc,
  { serving: { pool }, probes, clock }: Pick<DeploymentDeps, 'serving' | 'probes' | 'clock'>,
): Promise<Doing> {
  const [ready, workers] = [pool?.ready(doc) ?? 0, pool?.workers() ?? 0];
  const [figures, probed] = await Promise.all([
    pool?.figures(doc._id) ?? NO_CALLS,
    probes?.latest(doc) ?? NOT_PROBED,
  ]);
  const last = probed.probes.at(-1);
  const isReady = SERVED.includes(doc.status) && last?.ok === true && last.at > clock() - FRESH_MS;
  return { figures, probed, ready, workers, isReady };
}
