import {
  contextOf,
  unforecastable,
  type ForecastSeries,
  type SeriesForecast,
} from '../../domain/maths/forecasting/forecaster.js';
import { timeOfStep } from '../../domain/inference/steps.js';
import type { WorkerPool } from '../threads/pool.js';
import { levelsOf } from '../../domain/models/graph.js';
import type { Manifest } from './files.js';
import type { Portion, PortionDone } from './portion.js';
import type { Outputs } from './session.js';

/** Lets so much of the work of several calls be under way at once; the rest waits in its order. */
export type Room = <T>(work: () => Promise<T>) => Promise<T>;

/** Who does portions: threads, or processes. */
export type Workers = Pick<WorkerPool<Portion, PortionDone>, 'run' | 'onEach' | 'close'>;

export type ForecastCall = {
  readonly manifest: Manifest;
  readonly series: readonly ForecastSeries[];
  readonly horizon: number;
  readonly threads: number;
  /** So many series go to a worker at a time, at most. */
  readonly portion: number;
  readonly room: Room;
  /** Whose it is. */
  readonly lane: string;
};

/** What a model reads of a series, by itself. */
export function readOf(
  { values, period, times, covariates }: ForecastSeries,
  caps: Manifest['caps'],
): ForecastSeries {
  const read = contextOf(values, caps).slice();
  const from = values.length - read.length;
  const columns = Object.entries(covariates ?? {});
  return {
    ...{ values: read, period },
    ...(times && { times: { ...times, start: timeOfStep(times, from) } }),
    ...(covariates && {
      covariates: Object.fromEntries(columns.map(([name, column]) => [name, column.slice(from)])),
    }),
  };
}

/**
 * One call of a forecaster. It never has more than two portions for each thread under way, so that its memory
 * there is bounded and other calls get their turn; the first failure stops it.
 */
export class Call {
  readonly answer: Promise<SeriesForecast[]>;
  /** Resolves when nothing of it is under way any more, also after it was stopped. */
  readonly ended: Promise<void>;
  readonly #pool: Workers;
  readonly #asked: ForecastCall;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4));
  readonly #forecasts: SeriesForecast[] = [];
  readonly #size: number;
  #next = 0;
  #reject!: (why: Error) => void;

  constructor(pool: Workers, asked: ForecastCall) {
    this.#pool = pool;
    this.#asked = asked;
    this.#size = Math.max(1, Math.min(asked.portion, Math.ceil(asked.series.length / asked.threads)));
    let resolve!: (forecasts: SeriesForecast[]) => void;
    this.answer = new Promise((resolved, rejected) => {
      resolve = resolved;
      this.#reject = rejected;
    });
    const lanes = Math.min(2 * asked.threads, Math.ceil(asked.series.length / this.#size));
    this.ended = Promise.all(Array.from({ length: lanes }, () => this.#lane())).then(() =>
      resolve(this.#forecasts),
    );
  }

  /** Rejects at once; the series at work come to their end, no other begins. */
  stop(why: Error): void {
    Atomics.store(this.#stopped, 0, 1);
    this.#reject(why);
  }

  async #lane(): Promise<void> {
    try {
      while (this.#next < this.#asked.series.length && this.#stopped[0] === 0) await this.#portion();
    } catch (error) {
      this.stop(error as Error);
    }
  }

  async #portion(): Promise<void> {
    const {
      manifest: { slug, sha256, caps },
      series,
      horizon,
      room,
      lane,
    } = this.#asked;
    const first = this.#next;
    this.#next += this.#size;
    const last = this.#next;
    const done = await room(() => {
      // Copies: a view would take the whole of what it is a view of along
      const portion = series.slice(first, last).map(one => readOf(one, caps));
      return this.#pool.run({ slug, sha256, lane, series: portion, horizon, stopped: this.#stopped });
    });
    done.forEach((outputs, i) => {
      this.#forecasts[first + i] = this.#forecastOf(outputs, first + i);
    });
  }

  #forecastOf({ quantiles: values, embedding }: Outputs, index: number): SeriesForecast {
    if (!values.every(Number.isFinite))
      throw unforecastable(index, 'its values are so large that the model loses itself');
    const { manifest, horizon } = this.#asked;
    return { quantiles: { horizon, levels: levelsOf(manifest), values }, embedding };
  }
}
