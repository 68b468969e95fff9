import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import { WorkerPool } from '../threads/pool.js';
import type { AdmissionLimits } from './admission.js';
import { Dispatcher } from './dispatcher.js';
import { defaultFamilyDir, readModelFile, slugsIn } from './files.js';
import type { Portion, PortionDone } from './portion.js';

export type FamilyOptions = {
  readonly threads: number;
  /** Folder of the models and their manifests. */
  readonly dir?: string;
  /** 16,384 series and 1,048,576 steps unless told otherwise: their answers take 100 MB. */
  readonly limits?: AdmissionLimits;
  /** Module of the worker. */
  readonly worker?: URL;
  /** Told when a thread hung and was replaced; its call fails with this error. */
  readonly hung?: (error: Error) => void;
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

/** A portion takes some hundred milliseconds, of a model of another folder perhaps a hundred times that. */
const LIMIT_MS = 300_000;
const LIMITS: AdmissionLimits = { series: 16_384, steps: 1_048_576 };

/**
 * The forecasters of a folder, ready to be asked; none where the folder has no manifest.
 * @throws Error that says what is wrong with the folder
 */
export const openFamily = ({
  threads,
  dir = defaultFamilyDir(),
  limits = LIMITS,
  worker = WORKER,
  hung,
}: FamilyOptions): Family => {
  // What may wait is bounded by the limits: each portion has a series of its own
  const pool = WorkerPool.lazy<Portion, PortionDone>({
    file: worker,
    data: { dir },
    threads,
    limitMs: LIMIT_MS,
    hung,
    depth: 1,
    maxWaiting: limits.series,
  });
  const dispatcher = new Dispatcher(pool, Math.max(1, threads), limits);
  const forecasters = slugsIn(dir).map((slug): Forecaster => {
    const { manifest, version } = readModelFile(dir, slug);
    const { caps, tasks } = manifest;
    return {
      slug,
      version,
      caps,
      tasks,
      forecast: (series, horizon, signal) => dispatcher.forecast(manifest, series, horizon, signal),
    };
  });
  return {
    forecasters: new Map(forecasters.map(forecaster => [forecaster.slug, forecaster])),
    close: () => dispatcher.close(),
  };
};

const WORKER = new URL('./worker.js', import.meta.url);
