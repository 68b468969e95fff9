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

/** What grading asks of forecasts that are not graded yet. */
export const awaitedQueries = (read: Reader) => ({
  /**
   * Forecasts that new points may complete (their last step has come, the oldest of the points is not behind
   * their end), and those that are over: of a base once for each of its signals, and when given up.
   */
  async awaiting({ workspace, key, base, from, last, givenUp }: NewPoints, limit: number) {
    const own = awaitedId(workspace, key);
    const ofBase = base === null ? null : awaitedId(workspace, base);
    const of = (where: Where, by: string) =>
      read.find<InferenceDoc>('inferences', { where, sort: { by: ['awaits', by, '_id'] }, limit });
    const awaits = { in: ofBase === null ? [own] : [own, ofBase] };
    const found = await Promise.all([
      of({ awaits, until: { lte: last }, ends: { gt: from } }, 'until'),
      of({ awaits: own, over: { lte: last } }, 'over'),
      ...(ofBase === null
        ? []
        : [
            of({ awaits: ofBase, over: { gte: from, lte: last } }, 'over'),
            of(
              { awaits: ofBase, over: { lte: Math.min(last, givenUp) }, created_at: { lte: givenUp } },
              'over',
            ),
          ]),
    ]);
    return [...new Map(found.flat().map(doc => [doc._id, doc])).values()];
  },

  /** Signals and bases (`awaitedId`) whose points are awaited, page by page, with repeats. */
  async *awaited(): AsyncGenerator<string[]> {
    const query = { where: { awaits: { gt: '' } }, sort: { by: ['awaits', 'until', '_id'] } };
    for await (const page of read.pages<InferenceDoc>('inferences', {
      ...query,
      fields: ['awaits', 'until'],
    }))
      yield page.map(({ awaits }) => awaits!);
  },
});
