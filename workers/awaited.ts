import { START } from '../domain/fact.js';
import type { Awaits } from '../domain/inference/facts.js';
import { awaitedId } from '../projections/inference/projection.js';
import type { InferenceQueries } from '../projections/inference/queries.js';

/** A signal, or the base of several. */
export type Place = readonly [workspace: string, key: string];
/** From when on points may complete a forecast that awaits them, and the position of the newest such. */
type Wait = { readonly until: number; readonly position: number };

/**
 * Signals and bases whose points forecasts await, and from when on these may complete one: those of the
 * documents at first, and all since. What no forecast awaits any more is forgotten when points of it come.
 */
export class Awaited {
  readonly #waits = new Map<string, Wait>();
  #loading: Promise<void> | null = null;

  constructor(private readonly queries: Pick<InferenceQueries, 'awaited' | 'firstUntil'>) {}

  /** How many signals and bases are awaited. */
  get size(): number {
    return this.#waits.size;
  }

  /** A forecast that the fact at a position tells of. */
  add({ workspace, key, until }: Pick<Awaits, 'workspace' | 'key' | 'until'>, position: number): void {
    this.#add(awaitedId(workspace, key), until, position);
  }

  /**
   * From when on points of one of these places may complete a forecast, epoch ms; infinite: nobody awaits
   * them. `upToDate`: before documents are read for the first time.
   */
  async from(places: readonly Place[], upToDate: () => Promise<void>): Promise<number> {
    this.#loading ??= this.#load(upToDate).catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    await this.#loading;
    return places.reduce(
      (first, place) => Math.min(first, this.#waits.get(awaitedId(...place))?.until ?? Infinity),
      Infinity,
    );
  }

  /**
   * Looks again at places whose points were looked at; `position`: of a fact that the documents hold. They
   * may not hold a forecast that was added behind it yet.
   */
  async looked(places: readonly Place[], position: number): Promise<void> {
    for (const place of places) {
      const name = awaitedId(...place);
      if ((this.#waits.get(name)?.position ?? Infinity) > position) continue;
      const until = await this.queries.firstUntil(...place);
      if ((this.#waits.get(name)?.position ?? Infinity) > position) continue;
      if (until === null) this.#waits.delete(name);
      else this.#waits.set(name, { until, position });
    }
  }

  async #load(upToDate: () => Promise<void>): Promise<void> {
    await upToDate();
    for await (const page of this.queries.awaited())
      for (const { awaits, until } of page) this.#add(awaits, until, START);
  }

  #add(name: string, until: number, position: number): void {
    const known = this.#waits.get(name);
    this.#waits.set(name, {
      until: Math.min(until, known?.until ?? Infinity),
      position: Math.max(position, known?.position ?? START),
    });
  }
}
