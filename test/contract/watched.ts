import { createMetrics } from '../../adapters/metrics/metrics.js';
import type { Stores } from '../../adapters/open.js';
import { createTraces } from '../../adapters/traces/traces.js';
import { watchedBy } from '../../adapters/watcher.js';
import { silent } from '../platform.js';
import { collector } from '../traces/collector.js';

/** The same stores, counted, timed and traced; `close` sends the traces to a collector that takes them. */
export async function watched(stores: Partial<Stores>) {
  const collected = await collector();
  const { endpoint } = collected;
  const traces = createTraces({ endpoint, service: 'presage', share: 1, log: silent, clock: Date.now });
  return {
    stores: watchedBy([createMetrics(), traces]).stores(stores as Stores),
    async close() {
      await traces.close();
      collected.close();
    },
  };
}
