import { setImmediate as turn } from 'node:timers/promises';
import { downsample } from '../../domain/series/downsample.js';
import { envelopeOf } from '../../domain/series/envelope.js';
import type { Series } from '../../domain/series/series.js';
import { iso, SECOND } from '../../domain/time.js';
import { inOrder, ownSignal, unitOf, type SignalEntry } from '../../projections/catalogue/entries.js';
import type { Telling } from '../../projections/signals/courses.js';
import type { Order } from '../../projections/signals/lists.js';
import { notValid } from '../errors.js';
import { timeIn } from '../events/requests.js';
import { row, type Row } from '../row.js';
import { entryViews } from './entries.js';
import * as schemas from './list-schemas.js';
import { reads, tag, type SignalRoom } from './room.js';

/** What one answer shows at most, however much there is: signals one by one, groups, signals behind all their lines, event streams. */
const MOST = { series: 24, groups: 20, sampled: 160, streams: 100 };
/** Leaves of points read whole behind a line of a group; behind a series, as many as make half its points at least. */
const LEAVES = 8, POINTS_OF_SKETCH = 4;

const BY_KEY: Order = { by: 'key', descending: false }, NEWEST_FIRST: Order = { by: 'last_at', descending: true };

type Group = { readonly name: string; readonly count: number; readonly members: readonly SignalEntry[] };
type Window = { readonly from: number; readonly to: number };

/** A workspace at a glance: spec 4.3, open-parts 4.3. */
export const overviewRows = (room: SignalRoom): Row[] => [
  row({
    method: 'get', path: '/v1/signal/overview', operation: 'overviewSignals', summary: 'All signals at a glance', tag, access: reads,
    description: 'Up to 24 signals are shown as series. Of more, groups are: the median of their signals with a band from the 10th to the '
      + '90th percentile, to six digits. A drill into a group of more also shows the 24 with the newest points.',
    query: schemas.overviewQuery, answers: { 200: { description: 'Series or groups, and the event streams', schema: schemas.overviewAnswer } },
    async run({ workspace, query: { group = null, max_points: maxPoints, ...query } }) {
      const [aliases, pinned] = await Promise.all([aliasesIn(room, workspace, group), pinnedBy(room, workspace, query.pins)]);
      const count = await room.lists.count({ workspace, group }) + aliases.length, mode = count <= MOST.series ? 'series' : 'groups';
      const shown = mode === 'series' ? await first(room, workspace, group, aliases, BY_KEY)
        : group !== null ? await first(room, workspace, group, aliases, NEWEST_FIRST) : [];
      const entries = [...new Map([...pinned.entries, ...shown].map(entry => [entry.key, entry])).values()];
      const groups = mode === 'groups' ? await groupsOf(room, workspace, group, count, aliases) : { shown: [], more: false };
      const window = windowOf([...entries, ...groups.shown.flatMap(({ members }) => members)], query, room.clock());
      const streams = await streamsOf(room, workspace, group);
      return {
        body: {
          data: {
            mode,
            series: window ? await each(entries, entry => seriesView(room, entry, window, maxPoints)) : [],
            groups: window ? await each(groups.shown, one => groupView(room, one, window, maxPoints)) : [],
            event_streams: streams.rows,
            window: {
              from: window && iso(window.from), to: window && iso(window.to),
              step_s: window && Math.max(1, Math.ceil((window.to - window.from) / SECOND / maxPoints)),
            },
            truncated: groups.more || streams.more || pinned.more || (group !== null && count > MOST.series), unknown_pins: pinned.unknown,
          },
        },
      };
    },
  }),
];

const aliasesIn = async ({ catalogue }: SignalRoom, workspace: string, group: string | null): Promise<SignalEntry[]> =>
  (await catalogue.aliases(workspace)).filter(({ doc }) => group === null || doc.group === group);

async function pinnedBy({ catalogue }: SignalRoom, workspace: string, pins = '') {
  const keys = [...new Set(pins.split(',').map(key => key.trim()).filter(key => key !== ''))];
  const found = await Promise.all(keys.slice(0, MOST.series).map(async key => ({ key, entry: await catalogue.signal(workspace, key) })));
  return {
    entries: found.flatMap(({ entry }) => entry ?? []), unknown: found.flatMap(({ key, entry }) => entry ? [] : key), more: keys.length > MOST.series,
  };
}

/** The first signals of a workspace, or of a group, in an order. */
async function first(
  { lists }: SignalRoom, workspace: string, group: string | null, aliases: readonly SignalEntry[], order: Order, count = MOST.series,
): Promise<SignalEntry[]> {
  const own = await lists.range({ workspace, group }, order, 0, count);
  return [...own.map(ownSignal), ...aliases].sort(inOrder(order)).slice(0, count);
}

/** The groups with the most signals, each with those of its signals that stand for it: the ones with the newest points. */
async function groupsOf(room: SignalRoom, workspace: string, group: string | null, count: number, aliases: readonly SignalEntry[]) {
  const all = group === null ? await largest(room, workspace, aliases) : [{ name: group, count }];
  const shown: Group[] = [], sampled = Math.floor(MOST.sampled / Math.min(all.length, MOST.groups));
  for (const each of all.slice(0, MOST.groups)) {
    const members = aliases.filter(({ doc }) => doc.group === each.name);
    shown.push({ ...each, members: await first(room, workspace, each.name, members, NEWEST_FIRST, sampled) });
  }
  return { shown, more: all.length > MOST.groups };
}

async function largest({ lists }: SignalRoom, workspace: string, aliases: readonly SignalEntry[]) {
  const counts = new Map((await lists.largestGroups(workspace, MOST.groups + 1)).map(({ name, count }) => [name, count]));
  for (const name of new Set(aliases.map(({ doc }) => doc.group))) {
    const own = counts.get(name) ?? await lists.count({ workspace, group: name });
    counts.set(name, own + aliases.filter(({ doc }) => doc.group === name).length);
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** From the first to the newest point of what is shown, but not beyond now, unless the query says otherwise; null: there is nothing. */
function windowOf(entries: readonly SignalEntry[], query: { readonly from?: string; readonly to?: string }, now: number): Window | null {
  const given = (name: 'from' | 'to') => query[name] === undefined ? null : timeIn(query[name], ['query', name]);
  const from = given('from'), to = given('to');
  if (from !== null && to !== null && from > to) throw notValid([{ loc: ['query', 'from'], msg: 'must not be after `to`', type: 'range', input: query.from }]);
  if (entries.length === 0) return from !== null && to !== null ? { from, to } : null;
  const oldest = entries.map(({ doc }) => doc.first_at).reduce((a, b) => Math.min(a, b));
  const last = entries.map(({ doc }) => doc.last_at).reduce((a, b) => Math.max(a, b)), newest = oldest <= now ? Math.min(last, now) : last;
  const begins = from ?? Math.min(to ?? newest, oldest);
  return { from: begins, to: to ?? Math.max(begins, newest) };
}

const courseIn = ({ courses }: SignalRoom, { place }: SignalEntry, { from, to }: Window, mostLeaves: number, telling: Telling): Promise<Series> =>
  courses.course(place, from, to, mostLeaves, telling);

async function seriesView(room: SignalRoom, entry: SignalEntry, window: Window, maxPoints: number) {
  const course = await courseIn(room, entry, window, Math.ceil(maxPoints / (2 * POINTS_OF_SKETCH)), 'extremes');
  const { times, values } = downsample(course, maxPoints);
  return {
    key: entry.key, display_name: entry.doc.name, unit: unitOf(entry)?.unit ?? null,
    points: Array.from(times, (time, i): [number, number] => [time, values[i]!]),
  };
}

async function groupView(room: SignalRoom, { name, count, members }: Group, window: Window, maxPoints: number) {
  const courses = await each(members, member => courseIn(room, member, window, LEAVES, 'means'));
  const { median, lower, upper } = envelopeOf(courses.filter(({ times }) => times.length > 0), window.from, window.to, maxPoints);
  return {
    group: name, count, sampled: members.length, median: rounded(median), band_lower: rounded(lower), band_upper: rounded(upper),
    band: 'p10_p90', normalized: true,
  };
}

/** To six digits: more would double the answer and tell nobody more. */
const rounded = (line: readonly (readonly [number, number])[]) => line.map(([time, value]) => [time, Number(value.toPrecision(6))]);

async function streamsOf(room: SignalRoom, workspace: string, group: string | null) {
  const entries = (await room.catalogue.streams(workspace)).filter(({ doc }) => group === null || doc.group === group).sort(inOrder(NEWEST_FIRST));
  return { rows: await entryViews(room, workspace, entries.slice(0, MOST.streams), room.clock()), more: entries.length > MOST.streams };
}

/** One after the other, with a turn for others in between. */
async function each<T, R>(list: readonly T[], make: (item: T) => Promise<R>): Promise<R[]> {
  const made: R[] = [];
  for (const item of list) {
    made.push(await make(item));
    await turn();
  }
  return made;
}
