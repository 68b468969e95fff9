import type { Endings } from '../adapters/endings.js';
import { nobody } from '../adapters/serving/nobody.js';
import { openLocalPool } from '../adapters/serving/open.js';
import { probing } from '../commands/probing.js';
import { allButOne, type Kernel } from './kernel.js';

/**
 * The workers that forecast, and what was found out about the models they serve; null where serving is
 * switched off.
 */
export function servingPool({ config, running, stores, clock, log }: Kernel, ends: Endings) {
  if (!config.SERVING) return null;
  const threads = config.SERVING_THREADS || allButOne();
  const local = running.includes('serving')
    ? ends.keep(openLocalPool({ threads, files: stores.files, clock, log }))
    : null;
  const pool = local ?? nobody;
  return { pool, local, probes: probing({ pool, kv: stores.kv, clock }) };
}
export type OpenServing = ReturnType<typeof servingPool>;
