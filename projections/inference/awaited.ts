import type { Reader } from '../engine/reader.js';
import type { Where } from '../engine/read-models.js';
import type { InferenceDoc } from './documents.js';
import { awaitedId } from './projection.js';

/** Some new points of a signal; `base`: of which it is an entity; null: of none. Times are epoch ms. */
type NewPoints = {
  readonly workspace: string;
  readonly key: string;
  readonly base: string | null;
  /** Time of the oldest of them, and of the newest point of the signal. */
  readonly from: number;
  readonly last: number;
  /** Until when forecasts must be over, and have been made, whose silent signals are waited for no more. */
  readonly givenUp: number;
};

/** Documents that are read at a time. */
const AT_ONCE = 100;

/** What grading asks of forecasts that are not graded yet. */
export const awaitedQueries = (read: Reader) => ({
  /**
   * Forecasts that new points may complete (their last step has come, the oldest of the points is not behind
   * their end), and those that are over: of a base once for each of its signals, and when given up. Each
   * once, however many there are.
   */
  async *awaiting({ workspace, key, base, from, last, givenUp }: NewPoints): AsyncGenerator<InferenceDoc> {
    const own = awaitedId(workspace, key);
    const ofBase = base === null ? null : awaitedId(workspace, base);
    const awaits = { in: ofBase === null ? [own] : [own, ofBase] };
    const searches: readonly { readonly where: Where; readonly by: 'until' | 'over' }[] = [
      { where: { awaits, until: { lte: last }, ends: { gt: from } }, by: 'until' },
      { where: { awaits: own, over: { lte: last } }, by: 'over' },
      ...(ofBase === null
        ? []
        : ([
            { where: { awaits: ofBase, over: { gte: from, lte: last } }, by: 'over' },
            {
              where: {
                ...{ awaits: ofBase, over: { lte: Math.min(last, givenUp) }, created_at: { lte: givenUp } },
              },
              by: 'over',
            },
          ] as const)),
    ];
    const told = new Set<string>();
    for (const { where, by } of searches)
      for await (const page of read.pages<InferenceDoc>('inferences', {
        ...{ where, sort: { by: ['awaits', by, '_id'] }, limit: AT_ONCE },
      }))
        for (const doc of page) {
          if (told.has(doc._id)) continue;
          told.add(doc._id);
          yield doc;
        }
  },

  /** When the first forecast that awaits a signal, or a base, may be completed; null: none awaits it. */
  async firstUntil(workspace: string, key: string): Promise<number | null> {
    const [first] = await read.find<InferenceDoc>('inferences', {
      where: { awaits: awaitedId(workspace, key) },
      ...{ sort: { by: ['awaits', 'until', '_id'] }, limit: 1, fields: ['until'] },
    });
    return first?.until ?? null;
  },

  /**
   * Signals and bases (`awaitedId`) whose points are awaited, and from when on they may complete a forecast,
   * page by page, with repeats.
   */
  async *awaited(): AsyncGenerator<{ readonly awaits: string; readonly until: number }[]> {
    const query = { where: { awaits: { gt: '' } }, sort: { by: ['awaits', 'until', '_id'] } };
    for await (const page of read.pages<InferenceDoc>('inferences', {
      ...query,
      fields: ['awaits', 'until'],
    }))
      yield page.map(({ awaits, until }) => ({ awaits: awaits!, until: until! }));
  },
});
