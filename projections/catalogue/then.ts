import { setImmediate as turn } from 'node:timers/promises';
import { Rejected } from '../../domain/rejected.js';
import { LATEST } from '../../domain/time.js';
import type { Order, SignalLists } from '../signals/lists.js';
import type { SignalQueries } from '../signals/queries.js';
import type { SummaryThen } from '../signals/summaries-then.js';
import { courseOf, inParts, NEWEST, type Course } from './courses.js';
import { fits, inOrder, ownSignal, type Filter, type SignalEntry } from './entries.js';
import type { Catalogue } from './queries.js';

/** So many signals are looked at for one list of a past moment: each may take some reading. */
const MOST = 500;
const AT_ONCE = 20;

/** A signal as it was; `count` null: too much has changed since to count its points of then. */
export type EntryThen = {
  readonly entry: SignalEntry;
  readonly count: number | null;
  readonly course: Course;
};
type Found = Pick<EntryThen, 'entry' | 'count'>;

type Deps = {
  readonly lists: SignalLists;
  readonly catalogue: Pick<Catalogue, 'aliases'>;
  readonly queries: Pick<SignalQueries, 'newest' | 'summaryThen'>;
};
export type SignalsThen = ReturnType<typeof signalsThen>;

/**
 * Signals of a workspace as they were at a past moment: those of which a point was known then. How they are
 * called and grouped is as it is now.
 */
export function signalsThen({ lists, catalogue, queries }: Deps) {
  /** All that fit, as they are now. @throws Rejected 422 when there are too many to look at */
  async function candidates(workspace: string, filter: Filter): Promise<SignalEntry[]> {
    const { group, origin, search } = filter;
    const others = (await catalogue.aliases(workspace)).filter(entry => fits(entry, filter));
    const keys = origin === 'marketplace' ? [] : await lists.matching(workspace, { group, origin, search });
    if (keys.length + others.length > MOST) throw tooMany(keys.length + others.length);
    const own = await lists.at(keys.map(key => ({ workspace, key })));
    return [...[...own.values()].map(ownSignal), ...others];
  }

  const courseThen = async ({ place: { workspace, key } }: SignalEntry, asOf: number): Promise<Course> =>
    courseOf(await queries.newest(workspace, key, LATEST, NEWEST, asOf));

  return async (
    workspace: string,
    filter: Filter,
    order: Order,
    { offset, limit, asOf }: { readonly offset: number; readonly limit: number; readonly asOf: number },
  ): Promise<{ readonly entries: readonly EntryThen[]; readonly total: number }> => {
    const found: Found[] = [];
    for (const some of inParts(await candidates(workspace, filter), AT_ONCE)) {
      const were = await Promise.all(some.map(({ doc }) => queries.summaryThen(doc, asOf)));
      for (const [i, was] of were.entries()) if (was) found.push(foundThen(some[i]!, was));
      await turn();
    }
    const compare = inOrder(order);
    const shown = found.sort((a, b) => compare(a.entry, b.entry)).slice(offset, offset + limit);
    const courses = await Promise.all(shown.map(({ entry }) => courseThen(entry, asOf)));
    return { entries: shown.map((each, i) => ({ ...each, course: courses[i]! })), total: found.length };
  };
}

const foundThen = (entry: SignalEntry, { count, ...ends }: SummaryThen): Found => ({
  entry: { ...entry, doc: { ...entry.doc, ...ends, count: count ?? 0 } },
  count,
});

const tooMany = (count: number): Rejected =>
  new Rejected(
    'unprocessable',
    'too_many_signals',
    `A list of a past moment looks at ${MOST} signals at most; ${count} fit: name a group or search`,
    { limit: MOST, found: count },
  );
