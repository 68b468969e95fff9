import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import {
  checkForecastable,
  type Forecaster,
  type ForecastSeries,
  type SeriesForecast,
} from '../../domain/maths/forecasting/forecaster.js';
import { WorkerPool } from '../threads/pool.js';
import { Admission, type Limits } from './admission.js';
import { Call } from './call.js';
import { defaultFamilyDir, readModelFile, slugsIn, type Manifest } from './files.js';
import type { Portion, PortionDone } from './portion.js';

export type FamilyOptions = {
  readonly threads: number;
  /** Folder of the models and their manifests. */
  readonly dir?: string;
  /** 16,384 series and 1,048,576 steps unless told otherwise: their answers take 100 MB. */
  readonly limits?: Limits;
  /** Module of the worker. */
  readonly worker?: URL;
};

/**
 * The forecasters of a folder by slug. They share `threads` workers, which start when there is work and stay
 * until `close`.
 */
export type Family = {
  readonly forecasters: ReadonlyMap<string, Forecaster>;
  /**
   * Refuses what has not begun and all that comes later, lets the series at work come to their end, ends the
   * workers.
   */
  close(): Promise<void>;
};

const LIMITS: Limits = { series: 16_384, steps: 1_048_576 };

/**
 * The forecasters of a folder, ready to be asked; none where the folder has no manifest.
 * @throws Error that says what is wrong with the folder
 */
export const openFamily = ({
  threads,
  dir = defaultFamilyDir(),
  limits = LIMITS,
  worker = WORKER,
}: FamilyOptions): Family => {
  // What may wait is bounded by the limits: each portion has a series of its own
  const pool = WorkerPool.lazy<Portion, PortionDone>({
    file: worker,
    data: { dir },
    threads,
    depth: 1,
    maxWaiting: limits.series,
  });
  const desk = new Desk(pool, Math.max(1, threads), limits);
  const forecasters = slugsIn(dir).map((slug): Forecaster => {
    const { manifest, version } = readModelFile(dir, slug);
    const { caps, tasks } = manifest;
    return {
      slug,
      version,
      caps,
      tasks,
      forecast: (series, horizon, signal) => desk.forecast(manifest, series, horizon, signal),
    };
  });
  return {
    forecasters: new Map(forecasters.map(forecaster => [forecaster.slug, forecaster])),
    close: () => desk.close(),
  };
};

const WORKER = new URL('./worker.js', import.meta.url);

const ending = (): Error => new Overloaded('The server is ending');

/** Takes calls in, and lets go of them. */
class Desk {
  readonly #pool: WorkerPool<Portion, PortionDone>;
  readonly #threads: number;
  readonly #admission: Admission;
  readonly #calls = new Set<Call>();
  #closed = false;

  constructor(pool: WorkerPool<Portion, PortionDone>, threads: number, limits: Limits) {
    this.#pool = pool;
    this.#threads = threads;
    this.#admission = new Admission(limits);
  }

  async forecast(
    manifest: Manifest,
    series: readonly ForecastSeries[],
    horizon: number,
    signal: AbortSignal,
  ): Promise<SeriesForecast[]> {
    if (signal.aborted) throw new Cancelled();
    if (this.#closed) throw ending();
    checkForecastable(series, horizon, manifest.caps);
    const leave = this.#admission.admit(series.length, horizon);
    const call = new Call(this.#pool, { manifest, series, horizon, threads: this.#threads });
    const cancel = (): void => call.stop(new Cancelled());
    this.#calls.add(call);
    signal.addEventListener('abort', cancel);
    void call.ended.then(() => {
      this.#calls.delete(call);
      leave();
    });
    return call.answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls) call.stop(ending());
    await this.#pool.close();
  }
}
