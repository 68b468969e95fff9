import { rememberedForecasts } from '../adapters/forecaster/remembered.js';
import type { SignalAt, SignalReads } from '../commands/inference/histories.js';
import type { Columns } from '../domain/signals/points.js';
import { LATEST } from '../domain/time.js';
import type { SignalDoc } from '../projections/signals/documents.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SignalsArea } from './signals.js';

/** What models are given, and forecasts that they made of it lately. */
export const historiesOn = (
  { config }: Pick<Kernel, 'config'>,
  { signals, marketplace }: { readonly signals: SignalsArea; readonly marketplace: MarketplaceArea },
) => ({
  reads: signalReads(signals, marketplace),
  remembered: rememberedForecasts(config.FORECASTS_REMEMBERED_BYTES),
});
export type Histories = ReturnType<typeof historiesOn>;

/** What is read of signals: those of the workspace, and those it subscribes to. */
const signalReads = (
  { queries }: SignalsArea,
  { queries: market }: Pick<MarketplaceArea, 'queries'>,
): SignalReads => ({
  async find(workspace, key) {
    const place = await market.resolve(workspace, 'signal', key);
    const doc = place && (await queries.signal(place.workspace, place.key));
    return doc && place ? { key, place, revision: doc.revision } : null;
  },
  entities: async (workspace, base, limit) => (await queries.entities(workspace, base, limit)).map(at),
  newest: ({ workspace, key }, count, asOf) => queries.newest(workspace, key, LATEST, count, asOf),
  async between({ workspace, key }, from, to) {
    const times: number[] = [];
    const values: number[] = [];
    for await (const part of queries.points(workspace, key, from, to - 1)) {
      times.push(...part.times);
      values.push(...part.values);
    }
    return { times, values } satisfies Columns;
  },
  lastAt: async ({ workspace, key }) => (await queries.signal(workspace, key))?.last_at ?? null,
  upTo: () => queries.upTo(),
});

const at = ({ workspace, key, revision }: SignalDoc): SignalAt => ({
  key,
  place: { workspace, key },
  revision,
});
