import type { Series } from '../../domain/maths/series/series.js';
import type { Sources } from '../../domain/segments/ports.js';
import { ContentLost, type Contents } from '../../commands/ports/contents.js';
import type { Asked, Asks, Page } from './messages.js';

/** What the asks of one job are answered from; `shelf` null: it keeps nothing. */
export type Served = {
  readonly sources: Sources;
  readonly contents: Pick<Contents, 'put' | 'get'>;
  readonly shelf: string | null;
};

type Reading = AsyncIterator<Series>;
type Answers = { readonly [A in Asked]: (...args: Asks[A]['ask']) => Promise<Asks[A]['answer']> };

/** Answers what a job asks, one page of each of its readings in memory. */
export function serve({ sources, contents, shelf }: Served) {
  const readings = new Map<number, Reading>();
  let opened = 0;
  const get = (sha256: string): Promise<Uint8Array | null> =>
    contents.get(shelf!, sha256).catch((error: unknown) => {
      if (error instanceof ContentLost) return null;
      throw error;
    });
  const answers: Answers = {
    span: (key, from, to) => sources.span(key, from, to),
    async open(of, key, from, to) {
      const pages = of === 'points' ? sources.points(key, from, to) : sources.events(key, from, to, of);
      readings.set(opened, pages[Symbol.asyncIterator]());
      return opened++;
    },
    async next(id) {
      const { done, value } = (await readings.get(id)?.next()) ?? { done: true, value: undefined };
      if (!done) return pageOf(value as Series);
      readings.delete(id);
      return null;
    },
    async close(id) {
      const reading = readings.get(id);
      readings.delete(id);
      await reading?.return?.();
      return null;
    },
    responses: (stream, target) => sources.responses(stream, target),
    entities: base => sources.entities(base),
    put: async bytes => (await contents.put(shelf!, bytes)).sha256,
    get,
    has: async sha256 => (await get(sha256)) !== null,
  };
  return {
    answer: (what: Asked, args: readonly unknown[]): Promise<unknown> =>
      (answers[what] as (...args: readonly unknown[]) => Promise<unknown>)(...args),
    /** Lets go of readings that were not read to their end. */
    async end(): Promise<void> {
      for (const reading of readings.values()) await reading.return?.();
    },
  };
}

/** Typed columns are copied as they are on their way to another process. */
const pageOf = ({ times, values }: Series): Page => ({
  times: Float64Array.from(times),
  values: Float64Array.from(values),
});
