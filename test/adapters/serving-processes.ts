import { randomUUID } from 'node:crypto';
import { memoryKeyValue } from '../../adapters/memory.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import { modelFiles } from '../../adapters/models/model-files.js';
import { listenServing, type ServingListener } from '../../adapters/serving/listen.js';
import type { LocalPool } from '../../adapters/serving/local.js';
import { internalToken } from '../../adapters/serving/messages.js';
import { openLocalPool } from '../../adapters/serving/open.js';
import { registry, type Registry } from '../../adapters/serving/registry.js';
import { sharedPool } from '../../adapters/serving/shared.js';
import type { LivePath, ServingPool } from '../../commands/serving-pool.js';
import type { KeyValue } from '../../commands/ports/key-value.js';
import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { silent } from '../platform.js';

export const nano = firstPartyModels().find(({ slug }) => slug === 'nano')!;
export const token = internalToken(Buffer.alloc(32, 7));

export const path = (promotionId: string, max = 64): LivePath => ({
  promotionId,
  lane: promotionId,
  model: nano,
  replicas: { min: 1, max },
});
export const oneSeries = (n = 0): ForecastSeries[] => [
  { values: Float64Array.from({ length: 60 }, (_, i) => n + (i % 12)), period: 12 },
];

/** One that serves, as a process of a platform would: workers, an address, and a place among the others. */
export type Process = {
  readonly id: string;
  readonly pool: LocalPool;
  readonly listener: ServingListener;
  readonly known: Registry;
  readonly close: () => Promise<void>;
};

const EVERY_MS = 50;

/** Processes in this one, over one key-value store and real HTTP. */
export function serving() {
  const kv: KeyValue = memoryKeyValue(Date.now);
  const closings: (() => Promise<void>)[] = [];
  const knownBy = (own: Parameters<typeof registry>[0]['own']): Registry =>
    registry({ kv, clock: Date.now, log: silent, own, everyMs: EVERY_MS });
  return {
    kv,
    async process(threads = 1): Promise<Process> {
      const id = randomUUID();
      const files = modelFiles('none are imported here', null);
      const pool = openLocalPool({ threads, memoryMb: 512, files, clock: Date.now, log: silent });
      const listener = await listenServing({ pool, address: '127.0.0.1:0', tokens: [token], log: silent });
      const known = knownBy(() => ({ id, url: listener.url, threads, ready: pool.readiness() }));
      await known.refresh();
      let closed: Promise<void> | null = null;
      const close = (): Promise<void> =>
        (closed ??= known
          .close()
          .then(listener.close)
          .then(() => pool.close()));
      closings.push(close);
      return { id, pool, listener, known, close };
    },
    /** One that does not serve itself; `tell` what else to hold for one that does. */
    async asking(with_ = token): Promise<ServingPool & { readonly refresh: () => Promise<void> }> {
      const known = knownBy(() => null);
      await known.refresh();
      closings.push(known.close);
      const pool = sharedPool({ registry: known, local: null, token: with_ });
      return { ...pool, refresh: known.refresh };
    },
    close: () => Promise.all(closings.splice(0).map(close => close())),
  };
}
