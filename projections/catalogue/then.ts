import { setImmediate as turn } from 'node:timers/promises';
import { fairTurn } from '../../fair-turns.js';
import { Rejected } from '../../domain/rejected.js';
import { LATEST } from '../../domain/time.js';
import type { GoneThen } from '../signals/gone.js';
import type { Order, SignalLists } from '../signals/lists.js';
import type { SignalQueries } from '../signals/queries.js';
import type { SummaryThen } from '../signals/summaries-then.js';
import { courseOf, inParts, NEWEST, type Course } from './courses.js';
import { byCodePoint, fits, inOrder, ownSignal, type Filter, type SignalEntry } from './entries.js';
import type { Catalogue } from './queries.js';
import { tooMany, tooManyEnded, tooManyToSearch } from './too-many.js';

/**
 * So many signals are looked at for one list of a past moment: each may take some reading. `ended`: keys of
 * those that were deleted since, among which a search looks.
 */
const MOST = { signals: 500, ended: 50_000 };
const AT_ONCE = 20;

/** A signal as it was; `count` null: too much has changed since to count its points of then. */
export type EntryThen = {
  readonly entry: SignalEntry;
  readonly count: number | null;
  readonly course: Course;
};
type Page = {
  readonly entries: readonly EntryThen[];
  readonly total: number;
  readonly leftOut: readonly string[];
};
type Found = Pick<EntryThen, 'entry' | 'count'> & { readonly course?: Course };

type Deps = {
  readonly lists: SignalLists;
  readonly catalogue: Pick<Catalogue, 'aliases'>;
  readonly queries: Pick<SignalQueries, 'newest' | 'summaryThen' | 'endedSince'>;
  /** Signals that were deleted after the moment. */
  readonly gone: GoneThen;
};
export type SignalsThen = ReturnType<typeof signalsThen>;

/**
 * Signals of a workspace as they were at a past moment: those of which a point was known then. How they are
 * called and grouped is as it is now; of those that were deleted since, as it was then. `leftOut`: keys of
 * such that hold too much to be read.
 */
export function signalsThen({ lists, catalogue, queries, gone }: Deps, most = MOST) {
  /** All that fit, as they are now. @throws Rejected 422 when there are too many to look at */
  async function candidates(
    workspace: string,
    filter: Filter,
    ended: ReadonlySet<string>,
  ): Promise<SignalEntry[]> {
    const { group, origin, search } = filter;
    const others = (await catalogue.aliases(workspace)).filter(entry => fits(entry, filter));
    const all = origin === 'marketplace' ? [] : await lists.matching(workspace, { group, origin, search });
    const keys = all.filter(key => !ended.has(key));
    const count = keys.length + others.length + ended.size;
    if (count > most.signals) throw tooMany(most.signals, count, ended.size);
    const own = await lists.at(keys.map(key => ({ workspace, key })));
    return [...[...own.values()].map(ownSignal), ...others];
  }

  /**
   * Keys of own signals that were deleted after the moment, and may fit: what group they were in only their
   * journals tell.
   */
  async function endedSince(workspace: string, { origin, search }: Filter, asOf: number) {
    const found = new Set<string>();
    if (origin === 'marketplace') return found;
    const part = search?.toLowerCase() ?? '';
    let looked = 0;
    for await (const page of queries.endedSince(workspace, asOf)) {
      for (const key of page) if (key.toLowerCase().includes(part)) found.add(key);
      looked += page.length;
      if (found.size > most.signals) throw tooManyEnded(most.signals, found.size);
      if (looked > most.ended) throw tooManyToSearch(most.ended, looked);
      await fairTurn(workspace);
    }
    return found;
  }

  async function goneEntry(
    workspace: string,
    key: string,
    asOf: number,
  ): Promise<EntryThen | 'too large' | null> {
    const was = await gone({ workspace, key }, asOf, { replaced: false }).catch(unlessTooLarge);
    if (!was || was === 'too large') return was;
    const { times, values } = was.points;
    const newest = { times: times.slice(-NEWEST), values: values.slice(-NEWEST) };
    const doc = { ...was.doc, _at: 0 };
    return { entry: ownSignal(doc), count: doc.count, course: courseOf(newest) };
  }

  const courseThen = async ({ place: { workspace, key } }: SignalEntry, asOf: number): Promise<Course> =>
    courseOf(await queries.newest(workspace, key, LATEST, NEWEST, asOf));

  return async (
    workspace: string,
    filter: Filter,
    order: Order,
    { offset, limit, asOf }: { readonly offset: number; readonly limit: number; readonly asOf: number },
  ): Promise<Page> => {
    const found: Found[] = [];
    const ended = await endedSince(workspace, filter, asOf);
    for (const some of inParts(await candidates(workspace, filter, ended), AT_ONCE)) {
      const were = await Promise.all(some.map(({ doc }) => queries.summaryThen(doc, asOf)));
      for (const [i, was] of were.entries()) if (was) found.push(foundThen(some[i]!, was));
      await turn();
    }
    const leftOut: string[] = [];
    for (const key of ended) {
      const was = await goneEntry(workspace, key, asOf);
      if (was === 'too large') leftOut.push(key);
      else if (was && fits(was.entry, filter)) found.push(was);
    }
    const compare = inOrder(order);
    const shown = found.sort((a, b) => compare(a.entry, b.entry)).slice(offset, offset + limit);
    const courses = await Promise.all(
      shown.map(({ entry, course = null }) => course ?? courseThen(entry, asOf)),
    );
    const entries = shown.map((each, i) => ({ ...each, course: courses[i]! }));
    return { entries, total: found.length, leftOut: leftOut.sort(byCodePoint) };
  };
}

const foundThen = (entry: SignalEntry, { count, ...ends }: SummaryThen): Found => ({
  entry: { ...entry, doc: { ...entry.doc, ...ends, count: count ?? 0 } },
  count,
});

function unlessTooLarge(error: unknown): 'too large' {
  if (error instanceof Rejected && error.code === 'too_many_points') return 'too large';
  throw error;
}
