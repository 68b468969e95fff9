import type { Endings } from '../adapters/endings.js';
import { listenServing } from '../adapters/serving/listen.js';
import type { LocalPool } from '../adapters/serving/local.js';
import { internalToken } from '../adapters/serving/messages.js';
import { nobody } from '../adapters/serving/nobody.js';
import { openLocalPool } from '../adapters/serving/open.js';
import { registry } from '../adapters/serving/registry.js';
import { sharedPool } from '../adapters/serving/shared.js';
import { secretsOf } from '../adapters/vault/secrets.js';
import { probing } from '../commands/probing.js';
import type { ServingPool } from '../commands/serving-pool.js';
import { allButOne, type Kernel } from './kernel.js';

/**
 * The workers that forecast, and what was found out about the models they serve; null where serving is
 * switched off.
 */
export async function servingPool(kernel: Kernel, ends: Endings) {
  const { config, running, stores, clock, log } = kernel;
  if (!config.SERVING) return null;
  const threads = config.SERVING_THREADS || allButOne();
  const local = running.includes('serving')
    ? ends.keep(
        openLocalPool({
          ...{ threads, files: stores.modelFiles, clock, log },
          memoryMb: config.BYOM_MEMORY_MB,
        }),
      )
    : null;
  const pool = await (stores.shared ? amongOthers(kernel, local, ends) : (local ?? nobody));
  return { pool, local, probes: probing({ pool, kv: stores.kv, clock, log }) };
}
export type OpenServing = Awaited<ReturnType<typeof servingPool>>;

/** Together with the other processes that serve on the same stores. */
async function amongOthers(
  { config, running, stores, clock, log, newId }: Kernel,
  local: LocalPool | null,
  ends: Endings,
): Promise<ServingPool> {
  if (!running.some(role => role !== 'projections')) return nobody;
  const tokens = secretsOf(config, false).map(internalToken);
  const { SERVING_LISTEN: address, SERVING_URL } = config;
  const listening =
    local && address !== '' ? ends.keep(await listenServing({ pool: local, address, tokens, log })) : null;
  const id = newId();
  const url = listening && (SERVING_URL || listening.url);
  const known = ends.keep(
    registry({
      ...{ kv: stores.kv, clock, log },
      own: () => local && { id, url, threads: local.workers(), ready: local.readiness() },
    }),
  );
  await known.refresh();
  return sharedPool({ registry: known, local: local && { id, pool: local }, token: tokens[0]! });
}
