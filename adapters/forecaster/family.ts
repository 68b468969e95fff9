import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Forecaster, ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import { WorkerPool } from '../threads/pool.js';
import type { AdmissionLimits } from './admission.js';
import type { Room, Workers } from './call.js';
import { Dispatcher } from './dispatcher.js';
import { defaultFamilyDir, manifestOf, readModelFile, slugsIn, type ModelFile } from './files.js';
import type { Portion, PortionDone } from './portion.js';

export type FamilyOptions = {
  readonly threads: number;
  /** Folder of the models and their manifests. */
  readonly dir?: string;
  /** Those that are read at once; all of the folder unless told otherwise. Others are when asked for. */
  readonly slugs?: readonly string[];
  /** 16,384 series and 1,048,576 steps unless told otherwise: their answers take 100 MB. */
  readonly limits?: AdmissionLimits;
  /**
   * So many series go to a worker at a time; 8 unless told otherwise: few enough that calls take turns,
   * enough that the way there costs little.
   */
  readonly portion?: number;
  /** So long a portion may take, ms; 5 minutes unless told otherwise. */
  readonly withinMs?: number;
  /** Of these limits one lane may have so much beside its first call; all unless told otherwise. */
  readonly share?: number;
  /** Who does the work; threads unless told otherwise. */
  readonly workers?: (maxWaiting: number, maxWaitingInLane: number) => Workers;
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
   * The forecaster of a slug whose portions go to the workers through a room, in a lane (its own unless told
   * otherwise); null: it is not there.
   */
  readonly within: (slug: string, room: Room, lane?: string) => Forecaster | null;
  /** Lets so many workers open a model and forecast a series with it; answers how many could. */
  readonly warm: (slug: string, series: readonly ForecastSeries[], workers: number) => Promise<number>;
  /**
   * Refuses what has not begun and all that comes later, lets the series at work come to their end, ends the
   * workers.
   */
  close(): Promise<void>;
};

/** A portion takes some hundred milliseconds, of a model of another folder perhaps a hundred times that. */
const LIMIT_MS = 300_000;
const PORTION = 8;
const LIMITS: AdmissionLimits = { series: 16_384, steps: 1_048_576 };

/**
 * The forecasters of a folder, ready to be asked; none where the folder has no manifest.
 * @throws Error that says what is wrong with the folder
 */
export const openFamily = ({
  threads,
  dir = defaultFamilyDir(),
  slugs = slugsIn(dir),
  limits = LIMITS,
  portion = PORTION,
  withinMs = LIMIT_MS,
  share = 1,
  workers,
  worker = WORKER,
  hung,
}: FamilyOptions): Family => {
  // What may wait is bounded by the limits: each portion has a series of its own
  const pool =
    workers?.(limits.series, Math.ceil(share * limits.series))
    ?? WorkerPool.lazy<Portion, PortionDone>({
      ...{ file: worker, data: { dir }, threads, hung },
      limitMs: withinMs,
      depth: 1,
      maxWaiting: limits.series,
    });
  const dispatcher = new Dispatcher(pool, { threads: Math.max(1, threads), portion }, { ...limits, share });
  const models = new Map(slugs.map(slug => [slug, describedIn(dir, slug)]));
  /** Also one that came into the folder since; its file is checked by the workers that open it. */
  const modelOf = (slug: string): Omit<ModelFile, 'bytes'> | null => {
    if (!models.has(slug) && existsSync(join(dir, `${slug}.json`))) {
      const manifest = manifestOf(dir, slug);
      models.set(slug, { manifest, version: manifest.sha256.slice(0, 12) });
    }
    return models.get(slug) ?? null;
  };
  const forecasterOf = (
    { manifest, version }: Omit<ModelFile, 'bytes'>,
    room?: Room,
    lane?: string,
  ): Forecaster => ({
    slug: manifest.slug,
    version,
    caps: manifest.caps,
    tasks: manifest.tasks,
    forecast: (series, horizon, signal) => dispatcher.forecast(manifest, series, horizon, signal, room, lane),
  });
  return {
    forecasters: new Map([...models].map(([slug, model]) => [slug, forecasterOf(model)])),
    within(slug, room, lane) {
      const model = modelOf(slug);
      return model ? forecasterOf(model, room, lane) : null;
    },
    async warm(slug, series, workers) {
      const model = modelOf(slug);
      return model ? dispatcher.warm(model.manifest, series, workers) : 0;
    },
    close: () => dispatcher.close(),
  };
};

/** Its bytes are for the workers, each of which reads them itself. */
const describedIn = (dir: string, slug: string): Omit<ModelFile, 'bytes'> => {
  const { manifest, version } = readModelFile(dir, slug);
  return { manifest, version };
};

const WORKER = new URL('./worker.js', import.meta.url);
