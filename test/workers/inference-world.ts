import { memoryReadModels } from '../../adapters/memory-read-models.js';
import { memoryEventStore } from '../../adapters/memory.js';
import { ledgerCommands } from '../../commands/billing.js';
import { creditsOf } from '../../commands/billing/credits.js';
import { handler, loader, type Context } from '../../commands/engine/handle.js';
import { togetherOn } from '../../commands/engine/together.js';
import type { GoalsAsked } from '../../commands/inference/goals.js';
import type { SignalReads } from '../../commands/inference/histories.js';
import { inferenceRecords } from '../../commands/inference/records.js';
import type { WorkDeps } from '../../commands/inference/work.js';
import { signalCommands } from '../../commands/signals.js';
import { builtInRates } from '../../domain/billing/rates.js';
import type { ServedDeployment } from '../../domain/deployments/served.js';
import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import { LEVELS } from '../../domain/maths/forecasting/quantiles.js';
import { Rejected } from '../../domain/rejected.js';
import { LATEST } from '../../domain/time.js';
import { applyPage } from '../../projections/engine/apply.js';
import { checkpointName, collectionsOf } from '../../projections/engine/projection.js';
import { reader } from '../../projections/engine/reader.js';
import { inferenceProjection } from '../../projections/inference/projection.js';
import { inferenceQueries } from '../../projections/inference/queries.js';
import { signalsProjection } from '../../projections/signals/projection.js';
import { signalQueries } from '../../projections/signals/queries.js';
import { quiet } from '../projections/world.js';

export const W = 'w1';
/** All workspaces are of one organization with a thousand credits; each value that is answered costs one. */
export const ORGANIZATION = 'org_1';
const TERMS = { plan: 'free', plansVersion: '1', credits: 1_000_000 };

/** A model that repeats the last value, a band of 1 around it; each call waits for `gate`. */
export function lastValue(gate: (signal: AbortSignal) => Promise<void> = async () => {}): Forecaster {
  return {
    slug: 'last',
    version: 'v1',
    caps: { context: 512, horizon: 64 },
    tasks: ['forecast'],
    async forecast(series, horizon, signal) {
      await gate(signal);
      return series.map(({ values }) => {
        const last = values.findLast(value => !Number.isNaN(value))!;
        const row = LEVELS.map(level => last + level - 0.5);
        return {
          quantiles: {
            horizon,
            levels: LEVELS,
            values: Float64Array.from({ length: horizon * row.length }, (_, i) => row[i % row.length]!),
          },
          embedding: new Float32Array(1),
        };
      });
    },
  };
}

/** What is asked of goals where there are none. */
export const noGoals: GoalsAsked = {
  // biome-ignore lint/correctness/useYield: there is nothing to be asked
  async *serving() {
    throw new Rejected('missing', 'not_found', 'There is no goal');
  },
  again: () => Promise.reject(new Error('there are no goals')),
};

/** Signals and inferences over memory stores, with a deployment `prm_last` of every workspace. */
export async function inferenceWorld(forecaster: Forecaster = lastValue()) {
  const store = memoryEventStore();
  const models = memoryReadModels();
  const clock = { now: Date.UTC(2026, 0, 1) };
  let ids = 0;
  const newId = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
  const projections = [signalsProjection, inferenceProjection];
  for (const p of projections) await models.prepare(collectionsOf(p, 0));
  const project = async (): Promise<void> => {
    for (const p of projections)
      for (;;) {
        const page = await store.page(await models.checkpoint(checkpointName(p, 0)), 100);
        if (page.length === 0) break;
        await applyPage(p, models, 0, page);
      }
  };
  const handle = handler(store, newId);
  const load = loader(store);
  const queries = inferenceQueries(reader(models, inferenceProjection, () => 0));
  const known = signalQueries(reader(models, signalsProjection, () => 0));
  const signals = signalCommands(handle, known.known);
  const reads: SignalReads = {
    async find(workspace, key) {
      const doc = await known.signal(workspace, key);
      return doc && { key, place: { workspace, key }, revision: doc.revision };
    },
    entities: async (workspace, base, limit) =>
      (await known.entities(workspace, base, limit)).map(({ key, revision }) => ({
        ...{ key, revision },
        place: { workspace, key },
      })),
    newest: ({ workspace, key }, count, asOf) => known.newest(workspace, key, LATEST, count, asOf),
    async between({ workspace, key }, from, to) {
      const parts = [];
      for await (const part of known.points(workspace, key, from, to - 1)) parts.push(part);
      return { times: parts.flatMap(({ times }) => times), values: parts.flatMap(({ values }) => values) };
    },
    lastAt: async ({ workspace, key }) => (await known.signal(workspace, key))?.last_at ?? null,
    upTo: () => known.upTo(),
  };
  const deployment: ServedDeployment = {
    promotionId: 'prm_last',
    model: { family: 'test', slug: 'last', version: 'v1', name: 'Last' },
    ...{ horizon: 3, maxHorizon: 64, lookback: 512, readsTimes: false, reads: [], forecaster },
  };
  const work: WorkDeps = {
    served: async () => deployment,
    servingOf: async () => 'prm_last',
    inPlace: async (_, promotionId) => promotionId,
    goals: noGoals,
    reads,
    remembered: (_, forecast) => forecast,
  };
  const context = (workspace = W): Context => ({
    ...{ workspace, actor: 'token:t', request: null, correlation: 'c', causation: null },
    at: clock.now,
  });
  const together = togetherOn({ store, newId, shared: false });
  const ledger = ledgerCommands({ together, known: async () => null, terms: TERMS });
  const credits = creditsOf({
    ...{ commands: ledger, alone: true, log: quiet, clock: () => clock.now },
    rates: { ...builtInRates, credits: { ...builtInRates.credits, 'inference.series_step': '1' } },
    organizationOf: async () => ORGANIZATION,
  });
  return {
    ...{ ledger, credits },
    ...{ store, handle, load, clock, newId, project, queries, work, reads, deployment, context },
    records: inferenceRecords(handle, load),
    async push(key: string, times: readonly number[], values: readonly number[]) {
      await project();
      const push = { key, times, values, unit: null, origin: 'api' } as const;
      await signals.push(W, [push], context());
      await project();
    },
  };
}
export type InferenceWorld = Awaited<ReturnType<typeof inferenceWorld>>;
