import { NoWorkers, type LivePath, type ServingPool } from '../../commands/serving-pool.js';
import { allotment } from '../../domain/deployments/allotment.js';
import { together, type Figures } from '../../domain/deployments/figures.js';
import { Cancelled } from '../../domain/maths/compute.js';
import {
  checkForecastable,
  type ForecastSeries,
  type SeriesForecast,
} from '../../domain/maths/forecasting/forecaster.js';
import { readOf } from '../forecaster/call.js';
import { askEnd, askForecast, askJson, Unreached } from './ask.js';
import { endable } from './endable.js';
import { forecasterOf, nameOf, type LocalPool } from './local.js';
import { atOnce } from './messages.js';
import type { Registry, ServingProcess } from './registry.js';

type Opening = {
  readonly registry: Registry;
  /** Of this process; null: it does not serve. */
  readonly local: { readonly id: string; readonly pool: LocalPool } | null;
  readonly token: string;
};
/** A process to ask, and how many of its workers the deployment may use. */
type Choice = { readonly process: ServingProcess; readonly workers: number };

/** A process that gave no answer is asked last for so long. */
const SUSPECT_MS = 5_000;

/** Workers of all processes that serve: a call goes to one that is ready, to another where that is gone. */
export function sharedPool({ registry, local, token }: Opening): ServingPool {
  const underWay = new Map<string, Set<AbortController>>();
  const suspectUntil = new Map<string, number>();
  const reachable = (): ServingProcess[] =>
    registry.processes().filter(({ id, url }) => id === local?.id || url !== null);
  const others = () =>
    reachable().flatMap(({ id, url }) => (id === local?.id || url === null ? [] : [{ url, token }]));
  const callsOf = (id: string): Set<AbortController> => {
    const calls = underWay.get(id) ?? new Set();
    underWay.set(id, calls);
    return calls;
  };
  const isThere = (id: string): boolean => registry.processes().some(process => process.id === id);
  const isSuspect = (id: string): boolean => (suspectUntil.get(id) ?? 0) > performance.now();

  /** Those that are ready before others, then those that have most to spare. */
  const choices = ({ promotionId, model, replicas }: LivePath): Choice[] => {
    const shares = allotment(promotionId, reachable(), replicas.max).map(({ server, workers }, rank) => ({
      process: server,
      rank: workers > 0 ? 0 : rank,
      workers: workers || Math.min(server.threads, replicas.max),
      unfit: Number(isSuspect(server.id)) * 2 + Number(!server.ready[nameOf(model)]),
      load: callsOf(server.id).size / server.threads,
    }));
    return shares.sort((a, b) => a.unfit - b.unfit || a.rank - b.rank || a.load - b.load);
  };

  async function ask(
    { process: { id, url }, workers }: Choice,
    path: LivePath,
    [series, horizon, signal]: readonly [readonly ForecastSeries[], number, AbortSignal],
  ): Promise<SeriesForecast[]> {
    const { promotionId, lane, model } = path;
    try {
      return await endable(callsOf(id), signal, async either => {
        if (id === local?.id)
          return local.pool
            .forecaster({ ...path, replicas: { min: 0, max: workers } })
            .forecast(series, horizon, either);
        // What it was found to be worth is long, and of no use there
        const asked = { model: { ...model, benchmarks: null }, promotionId, lane, workers, series, horizon };
        return askForecast({ url: url!, token }, asked, either);
      });
    } catch (error) {
      if (error instanceof Cancelled && !signal.aborted && !isThere(id)) throw new Unreached(`${id} is gone`);
      throw error;
    }
  }

  async function forecast(
    path: LivePath,
    call: readonly [readonly ForecastSeries[], number, AbortSignal],
  ): Promise<SeriesForecast[]> {
    const tried = new Set<string>();
    // Looked up anew each time: meanwhile others may have come
    for (;;) {
      const choice = choices(path).find(({ process }) => !tried.has(process.id));
      if (!choice) throw new NoWorkers();
      try {
        return await ask(choice, path, call);
      } catch (error) {
        if (!(error instanceof Unreached)) throw error;
        tried.add(choice.process.id);
        suspectUntil.set(choice.process.id, performance.now() + SUSPECT_MS);
      }
    }
  }

  // A process that fell silent may never answer: its calls go to another
  registry.onRefresh(() => {
    for (const [id, calls] of underWay) {
      if (isThere(id)) continue;
      for (const call of calls) call.abort();
      if (calls.size === 0) underWay.delete(id);
    }
  });

  return {
    forecaster: path =>
      forecasterOf(path.model, async (series, horizon, signal) => {
        const caps = { context: path.model.maxContext, horizon: path.model.maxHorizon };
        checkForecastable(series, horizon, caps);
        const read = series.map(one => readOf(one, caps));
        const made: SeriesForecast[] = [];
        const count = atOnce(read);
        for (let from = 0; from < read.length; from += count)
          made.push(...(await forecast(path, [read.slice(from, from + count), horizon, signal])));
        return made;
      }),
    ready: model => reachable().reduce((sum, { ready }) => sum + (ready[nameOf(model)] ?? 0), 0),
    workers: () => reachable().reduce((sum, { threads }) => sum + threads, 0),
    async figures(promotionId) {
      const asked = others().map(other =>
        askJson<Figures>(other, `figures/${encodeURIComponent(promotionId)}`),
      );
      const own = local ? [local.pool.figures(promotionId)] : [];
      return together((await Promise.all([...asked, ...own])).filter(found => found !== null));
    },
    async called() {
      const asked = others().map(other => askJson<[string, Figures][]>(other, 'figures'));
      const own = local ? [local.pool.called()] : [];
      const all = new Map<string, Figures[]>();
      for (const found of await Promise.all([...asked, ...own]))
        for (const [id, figures] of found ?? []) all.set(id, [...(all.get(id) ?? []), figures]);
      return new Map([...all].map(([id, figures]) => [id, together(figures)]));
    },
    async end(promotionId) {
      await Promise.all([
        ...others().map(other => askEnd(other, promotionId)),
        ...(local ? [local.pool.end(promotionId)] : []),
      ]);
    },
    close: async () => undefined,
  };
}
