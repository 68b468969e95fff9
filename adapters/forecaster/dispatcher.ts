import { Cancelled, Overloaded } from '../../domain/maths/compute.js';
import {
  checkForecastable,
  type ForecastSeries,
  type SeriesForecast,
} from '../../domain/maths/forecasting/forecaster.js';
import { Admission, type SharedLimits } from './admission.js';
import { Call, type ForecastCall, type Room, type Workers } from './call.js';
import type { Manifest } from './files.js';

const ending = (): Error => new Overloaded('The server is ending');

const anyRoom: Room = work => work();

/** Admits calls, runs them on the pool, and ends those under way when it closes. */
export class Dispatcher {
  readonly #pool: Workers;
  readonly #sizes: Pick<ForecastCall, 'threads' | 'portion'>;
  readonly #admission: Admission;
  readonly #calls = new Set<Call>();
  #closed = false;

  constructor(pool: Workers, sizes: Pick<ForecastCall, 'threads' | 'portion'>, limits: SharedLimits) {
    this.#pool = pool;
    this.#sizes = sizes;
    this.#admission = new Admission(limits);
  }

  async forecast(
    manifest: Manifest,
    series: readonly ForecastSeries[],
    horizon: number,
    signal: AbortSignal,
    room: Room = anyRoom,
    lane = manifest.slug,
  ): Promise<SeriesForecast[]> {
    if (signal.aborted) throw new Cancelled();
    if (this.#closed) throw ending();
    checkForecastable(series, horizon, manifest.caps);
    const leave = this.#admission.admit(series.length, horizon, lane);
    const call = new Call(this.#pool, { manifest, series, horizon, room, lane, ...this.#sizes });
    const cancel = (): void => call.stop(new Cancelled());
    this.#calls.add(call);
    signal.addEventListener('abort', cancel);
    void call.ended.then(() => {
      this.#calls.delete(call);
      leave();
    });
    return call.answer.finally(() => signal.removeEventListener('abort', cancel));
  }

  /**
   * Lets so many workers open a model and forecast `series` with it, one step ahead; answers how many could.
   */
  warm({ slug, sha256 }: Manifest, series: readonly ForecastSeries[], workers: number): Promise<number> {
    const stopped = new Int32Array(new SharedArrayBuffer(4));
    return this.#pool.onEach(workers, { slug, sha256, lane: slug, series, horizon: 1, stopped });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const call of this.#calls) call.stop(ending());
    await this.#pool.close();
  }
}
