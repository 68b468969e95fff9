import { isModelFileLost } from '../../commands/model-files.js';
import { isModelFailed, ModelFailed, type ServingPool } from '../../commands/serving-pool.js';
import { NO_CALLS } from '../../domain/deployments/figures.js';
import { probedOf } from '../../domain/deployments/probe.js';
import { Cancelled } from '../../domain/maths/compute.js';
import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import type { HostedModel, ModelRef } from '../../domain/models/hosted.js';
import { isMade } from '../../domain/models/made.js';
import { Rejected } from '../../domain/rejected.js';
import type { Family } from '../forecaster/family.js';
import { JobHung } from '../threads/pooled-worker.js';
import { endable } from './endable.js';
import { Places } from './room.js';
import { Tally } from './tally.js';

type Opening = {
  /** Where a model is served from, once its file is there. @throws ModelFileLost */
  readonly placeOf: (model: HostedModel) => Promise<Place>;
  /** Told of each forecast that a model made. */
  readonly worked: (model: HostedModel) => void;
  /** Told of each that it is to blame for; looks at its file once more. @throws ModelFileLost */
  readonly failed: (model: HostedModel, error: unknown) => Promise<void>;
  /** All that models are served from, each with workers of its own. */
  readonly families: readonly Family[];
  readonly threads: number;
  readonly clock: () => number;
};

/** `slug`: its name within the family of workers. */
export type Place = { readonly family: Family; readonly slug: string };

export type LocalPool = ServingPool & {
  /** Makes so many workers ready for a model, by a forward pass in each. */
  warm(model: HostedModel, count: number): Promise<void>;
  /** How many workers are ready, by the names of models. */
  readiness(): Readonly<Record<string, number>>;
};

/** Of one deployment. */
type Lane = { readonly places: Places; readonly tally: Tally; readonly calls: Set<AbortController> };

/** Deployments that nobody has called for an hour are forgotten when there are more than these. */
const MANY = 1_000;

/** Workers in this process. */
export function localPool({ placeOf, worked, failed, families, threads, clock }: Opening): LocalPool {
  const lanes = new Map<string, Lane>();
  const ready = new Map<string, number>();
  const laneOf = (promotionId: string, size: number): Lane => {
    const known = lanes.get(promotionId);
    if (known) {
      known.places.resize(size);
      return known;
    }
    if (lanes.size >= MANY) forgetOver();
    const lane = { places: new Places(size), tally: new Tally(), calls: new Set<AbortController>() };
    lanes.set(promotionId, lane);
    return lane;
  };
  const forgetOver = (): void => {
    for (const [id, { tally }] of lanes) if (tally.isOver(clock())) lanes.delete(id);
  };

  return {
    forecaster({ promotionId, lane: whose, model, replicas }) {
      const name = nameOf(model);
      return forecasterOf(model, async (series, horizon, signal) => {
        const lane = laneOf(promotionId, replicas.max);
        const answers = await counted(lane.tally, clock, () =>
          endable(lane.calls, signal, async either => {
            const { family, slug } = await placeOf(model);
            const forecaster = family.within(slug, lane.places.room, whose);
            if (!forecaster) throw new Error(`this process does not serve ${name}`);
            return forecaster.forecast(series, horizon, either).catch(async (error: unknown) => {
              if (isFault(error)) await failed(model, error);
              throw error instanceof JobHung && isMade(model) ? new ModelFailed('it takes too long') : error;
            });
          }),
        );
        ready.set(name, Math.max(1, ready.get(name) ?? 0));
        worked(model);
        return answers;
      });
    },
    ready: model => ready.get(nameOf(model)) ?? 0,
    readiness: () => Object.fromEntries(ready),
    async warm(model, count) {
      const { family, slug } = await placeOf(model);
      const series = probedOf(model.trained?.covariates ?? [], 1);
      ready.set(nameOf(model), await family.warm(slug, series, Math.min(count, threads)));
    },
    workers: () => threads,
    figures: async promotionId => lanes.get(promotionId)?.tally.figures(clock()) ?? NO_CALLS,
    async called() {
      forgetOver();
      return new Map([...lanes].map(([id, { tally }]) => [id, tally.figures(clock())]));
    },
    async end(promotionId) {
      for (const call of lanes.get(promotionId)?.calls ?? []) call.abort();
    },
    async close() {
      await Promise.all(families.map(family => family.close()));
    },
  };
}

export const nameOf = ({ family, slug }: ModelRef): string => `${family}/${slug}`;

/** A model as a forecaster that asks somebody. */
export const forecasterOf = (
  { slug, version, tasks, maxContext, maxHorizon }: HostedModel,
  forecast: Forecaster['forecast'],
): Forecaster => ({
  ...{ slug, version, tasks, forecast },
  caps: { context: maxContext, horizon: maxHorizon },
});

/** What the caller is to blame for, or left, is no failure of the deployment. */
const isFault = (error: unknown): boolean =>
  isModelFileLost(error)
  || isModelFailed(error)
  || !(error instanceof Rejected || error instanceof Cancelled);

async function counted<T>(tally: Tally, clock: () => number, work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  tally.inFlight++;
  tally.usedAt = clock();
  const ended = (failed: boolean): void => tally.add(clock(), performance.now() - began, failed);
  try {
    const done = await work();
    ended(false);
    return done;
  } catch (error) {
    if (isFault(error)) ended(true);
    throw error;
  } finally {
    tally.inFlight--;
  }
}
