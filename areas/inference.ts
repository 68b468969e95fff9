import { inferenceRows } from '../api/inference/rows.js';
import { slotsOf } from '../api/inference/slots.js';
import { actualsSoFar } from '../commands/inference/actuals.js';
import type { SignalAt, SignalReads } from '../commands/inference/histories.js';
import { replay } from '../commands/inference/replay.js';
import type { ServingOf } from '../commands/inference/work.js';
import { inferenceRecords } from '../commands/inference/records.js';
import { rememberedForecasts } from '../adapters/forecaster/remembered.js';
import type { Columns } from '../domain/signals/points.js';
import { LATEST } from '../domain/time.js';
import { inferenceProjection } from '../projections/inference/projection.js';
import { inferenceQueries } from '../projections/inference/queries.js';
import { signalsProjection } from '../projections/signals/projection.js';
import type { SignalDoc } from '../projections/signals/documents.js';
import { grading } from '../workers/grading.js';
import { inferenceWork } from '../workers/inferences.js';
import { settling, type Settling } from '../workers/settling.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { IdentityArea } from './identity.js';
import type { Kernel } from './kernel.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly identity: IdentityArea;
  readonly marketplace: MarketplaceArea;
  readonly signals: SignalsArea;
  readonly deployments: DeploymentsArea;
  /** Asked of pipelines. */
  readonly servingOf: ServingOf;
  readonly billing: BillingArea;
  /** What became of other work that credits are held for, by its type. */
  readonly became: Settling['became'];
};

/** Grading waits so long for the read models before it fails and begins again. */
const GRADING_WAITS_MS = 5_000;

/** Forecasts and the other tasks of deployed models, each kept, and graded by what came. */
export const inferenceArea = (
  kernel: Kernel,
  { identity, marketplace, signals, deployments, servingOf, billing, became }: On,
) => {
  const { config, clock, handle, load, log, newId, read, stores, visibleIn } = kernel;
  const { served, inAnyState } = deployments;
  const { credits } = billing;
  const records = inferenceRecords(handle, load);
  const queries = inferenceQueries(read(inferenceProjection));
  const reads = signalReads(signals, marketplace);
  const remembered = rememberedForecasts(config.FORECASTS_REMEMBERED_BYTES);
  const work = { served, servingOf, reads, remembered };
  const visible = visibleIn(inferenceProjection);
  const caughtUp = async (position: number): Promise<boolean> =>
    (await kernel.caughtUp(signalsProjection, position, GRADING_WAITS_MS))
    && kernel.caughtUp(inferenceProjection, position, GRADING_WAITS_MS);
  return area({
    name: 'inference',
    ...{ queries, records, reads, remembered },
    reactors: [grading({ records, queries, reads, caughtUp, alone: !stores.shared })],
    schedulers: {
      inferences: () => inferenceWork({ ...work, records, queries, credits, clock, newId, visible, log }),
      settling: () =>
        settling({
          ...{ queries: billing.queries, commands: billing.commands, clock, newId, log },
          became: { ...became, inference: records.became },
          alone: !stores.shared,
        }),
    },
    rows: inferenceRows({
      ...{ ...work, records, queries, credits, clock, visible },
      replay: (workspace, record, signal) =>
        replay({ served: inAnyState, store: stores.events }, workspace, record, signal),
      tokenNames: identity.tokenNames,
      actuals: (workspace, record) => actualsSoFar(reads, workspace, record),
      slots: slotsOf(config.INFERENCE_AT_ONCE),
      mostQueued: config.INFERENCE_QUEUED,
    }),
  });
};
export type InferenceArea = ReturnType<typeof inferenceArea>;

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
