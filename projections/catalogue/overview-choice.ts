import type { Order, SignalLists } from '../signals/lists.js';
import type { Span } from '../signals/thinned.js';
import { inOrder, ownSignal, type SignalEntry, type StreamEntry } from './entries.js';
import type { Catalogue } from './queries.js';

/**
 * What one answer shows at most, however much there is: signals one by one, groups, signals behind the lines
 * of all groups and of one, event streams.
 */
const MOST = { series: 24, groups: 20, sampled: 160, ofGroup: 40, streams: 100 };
const BY_KEY: Order = { by: 'key', descending: false };
const NEWEST_FIRST: Order = { by: 'last_at', descending: true };

/** A part of something; `more`: there is more of it than is shown. */
type Some<T> = { readonly shown: readonly T[]; readonly more: boolean };
export type Group = {
  readonly name: string;
  readonly count: number;
  readonly members: readonly SignalEntry[];
};
type Deps = { readonly lists: SignalLists; readonly catalogue: Catalogue };
type Choice = { readonly group: string | null; readonly pins: readonly string[] };

/** The signals, one by one and as groups, that an overview shows. */
export async function chosen(deps: Deps, workspace: string, { group, pins }: Choice) {
  const aliases = (await deps.catalogue.aliases(workspace)).filter(
    ({ doc }) => group === null || doc.group === group,
  );
  const pinned = await pinnedBy(deps, workspace, pins);
  const within = { deps, workspace, aliases };
  const count = (await deps.lists.count({ workspace, group })) + aliases.length;
  const isFew = count <= MOST.series;
  const groups = isFew ? { shown: [], more: false } : await groupsOf(within, group, count);
  const first = await shownFirst(within, group, isFew);
  return {
    mode: isFew ? 'series' : 'groups',
    unknown: pinned.unknown,
    groups: groups.shown,
    entries: [...new Map([...pinned.shown, ...first].map(entry => [entry.key, entry])).values()],
    more: pinned.more || groups.more || (group !== null && !isFew),
  } as const;
}

async function pinnedBy(
  { catalogue }: Deps,
  workspace: string,
  pins: readonly string[],
): Promise<Some<SignalEntry> & { unknown: string[] }> {
  const keys = pins.slice(0, MOST.series);
  const found = await catalogue.signals(workspace, keys);
  return {
    shown: keys.flatMap(key => found.get(key) ?? []),
    unknown: keys.filter(key => !found.has(key)),
    more: pins.length > MOST.series,
  };
}

/** Where signals are taken from: a workspace's own, and those it subscribes to. */
type Within = {
  readonly deps: Deps;
  readonly workspace: string;
  readonly aliases: readonly SignalEntry[];
};

/** Few signals all by themselves; of many, the newest ones of the group that was asked for. */
async function shownFirst(within: Within, group: string | null, isFew: boolean): Promise<SignalEntry[]> {
  if (isFew) return firstOf(within, group, BY_KEY);
  return group === null ? [] : firstOf(within, group, NEWEST_FIRST);
}

/** The first signals of a workspace, or of a group, in an order. */
async function firstOf(
  { deps, workspace, aliases }: Within,
  group: string | null,
  order: Order,
  count = MOST.series,
): Promise<SignalEntry[]> {
  const own = await deps.lists.range({ workspace, group }, order, 0, count);
  const others = aliases.filter(({ doc }) => group === null || doc.group === group);
  return [...own.map(ownSignal), ...others].sort(inOrder(order)).slice(0, count);
}

/**
 * The groups with the most signals, each with those of its signals that stand for it: the ones with the
 * newest points.
 */
async function groupsOf(within: Within, group: string | null, count: number): Promise<Some<Group>> {
  const all = group === null ? await largest(within) : [{ name: group, count }];
  const sampled = Math.min(MOST.ofGroup, Math.floor(MOST.sampled / Math.min(all.length, MOST.groups)));
  const shown = all
    .slice(0, MOST.groups)
    .map(async each => ({ ...each, members: await firstOf(within, each.name, NEWEST_FIRST, sampled) }));
  return { shown: await Promise.all(shown), more: all.length > MOST.groups };
}

async function largest({
  deps: { lists },
  workspace,
  aliases,
}: Within): Promise<{ name: string; count: number }[]> {
  const counts = new Map(
    (await lists.largestGroups(workspace, MOST.groups + 1)).map(({ name, count }) => [name, count]),
  );
  for (const name of new Set(aliases.map(({ doc }) => doc.group))) {
    const own = counts.get(name) ?? (await lists.count({ workspace, group: name }));
    counts.set(name, own + aliases.filter(({ doc }) => doc.group === name).length);
  }
  return [...counts]
    .map(([name, count]) => ({ name, count }))
    .sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

/** The event streams with the newest events. */
export async function newestStreams(
  { catalogue }: Deps,
  workspace: string,
  group: string | null,
): Promise<Some<StreamEntry>> {
  const all = (await catalogue.streams(workspace)).filter(({ doc }) => group === null || doc.group === group);
  return { shown: all.sort(inOrder(NEWEST_FIRST)).slice(0, MOST.streams), more: all.length > MOST.streams };
}

/**
 * From the first to the newest point of what is shown, but not beyond now, unless it is asked for; null:
 * there is nothing.
 */
export function windowOf(
  entries: readonly SignalEntry[],
  { from, to }: { readonly from: number | null; readonly to: number | null },
  now: number,
): Span | null {
  if (entries.length === 0) return from !== null && to !== null ? { from, to } : null;
  const oldest = entries.reduce((least, { doc }) => Math.min(least, doc.first_at), Infinity);
  const last = entries.reduce((most, { doc }) => Math.max(most, doc.last_at), -Infinity);
  const newest = oldest <= now ? Math.min(last, now) : last;
  const begins = from ?? Math.min(to ?? newest, oldest);
  return { from: begins, to: to ?? Math.max(begins, newest) };
}
