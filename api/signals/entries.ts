import { setImmediate as turn } from 'node:timers/promises';
import { cadenceOf, gapsIn, isStale, sparkOf } from '../../domain/maths/series/cadence.js';
import type { Series } from '../../domain/maths/series/series.js';
import { entityOf } from '../../domain/maths/series/units.js';
import { iso, SECOND } from '../../domain/time.js';
import {
  originOf,
  unitOf,
  type Entry,
  type SignalEntry,
  type StreamEntry,
} from '../../projections/catalogue/entries.js';
import type { EventDoc } from '../../projections/events/documents.js';
import { summaryView } from '../catalogue/stream-summary.js';
import type { SignalDeps, Use } from './deps.js';

/** So many of the newest points, or events up to now, tell a row's cadence, gaps and spark. */
export const NEWEST = 500;
/** Rows that are made before others have their turn. */
const AT_ONCE = 10;

type Deps = Pick<SignalDeps, 'queries' | 'streams' | 'inUse'>;

/** Rows of the list, for signals and event streams. */
export async function entryViews(
  deps: Deps,
  workspace: string,
  entries: readonly Entry[],
  now: number,
): Promise<object[]> {
  const keysOf = (type: Entry['type']) => entries.filter(entry => entry.type === type).map(({ key }) => key);
  const uses = await deps.inUse(workspace, keysOf('signal'), keysOf('event'));
  const views: (object | null)[] = [];
  for (let i = 0; i < entries.length; i += AT_ONCE) {
    if (i > 0) await turn();
    views.push(
      ...(await Promise.all(entries.slice(i, i + AT_ONCE).map(entry => viewOf(deps, entry, uses, now)))),
    );
  }
  return views.filter(view => view !== null);
}

async function viewOf(
  { queries, streams }: Deps,
  entry: Entry,
  uses: readonly Use[],
  now: number,
): Promise<object | null> {
  if (entry.type === 'event') return streamView(entry, streams.queries, uses, now);
  const {
    place: { workspace, key },
    doc,
  } = entry;
  return signalView(entry, await queries.newest(workspace, key, doc.last_at, NEWEST), uses, now);
}

function signalView(entry: SignalEntry, newest: Series, uses: readonly Use[], now: number) {
  const { key, doc } = entry;
  const { base, entity } = entityOf(key) ?? { base: null, entity: null };
  return {
    ...common(entry, uses),
    unit: unitOf(entry)?.unit ?? null,
    base,
    entity,
    first_at: iso(doc.first_at),
    last_at: iso(doc.last_at),
    last_value: doc.last_value,
    ...courseOf(newest, doc.last_at, now),
    edges: null,
  };
}

/** Null when its last event has gone meanwhile. */
async function streamView(
  entry: StreamEntry,
  events: SignalDeps['streams']['queries'],
  uses: readonly Use[],
  now: number,
) {
  const {
    place: { workspace, key },
    doc,
  } = entry;
  const [latest, firstAt, scheduled, newest] = await Promise.all([
    events.latest(workspace, key),
    events.firstAt(workspace, key),
    events.scheduledIn(workspace, key, now),
    events.newest(workspace, key, now, NEWEST),
  ]);
  if (!latest || firstAt === null) return null;
  const ranks = ranksOf(newest);
  const lastPast = newest[0]?.occurred_at ?? latest.occurred_at;
  return {
    ...summaryView(doc, latest, scheduled),
    ...common(entry, uses),
    unit: null,
    base: null,
    entity: null,
    first_at: iso(firstAt),
    last_at: iso(latest.occurred_at),
    last_value: latest.value,
    ...courseOf(ranks, lastPast, now),
  };
}

const common = (entry: Entry, uses: readonly Use[]) => ({
  key: entry.key,
  type: entry.type,
  display_name: entry.doc.name,
  group: entry.doc.group,
  origin: originOf(entry),
  count: entry.doc.count,
  in_use_by: { goals: usedBy(uses, 'goal', entry), segments: usedBy(uses, 'segment', entry) },
});

const usedBy = (uses: readonly Use[], kind: Use['kind'], { type, key }: Entry): number =>
  uses.filter(use => use.kind === kind && (type === 'signal' ? use.keys : use.streams).includes(key)).length;

function courseOf(newest: Series, lastAt: number, now: number) {
  const cadence = cadenceOf(newest.times);
  return {
    cadence_s: cadence === null ? null : Math.max(1, Math.round(cadence / SECOND)),
    gaps: gapsIn(newest.times, cadence),
    stale: isStale(lastAt, cadence, now),
    spark: sparkOf(newest),
  };
}

/**
 * The ranks of events (newest first) in order of time; of those at one time the highest. Events without a
 * score count as 0.
 */
function ranksOf(newest: readonly Pick<EventDoc, 'occurred_at' | 'scores'>[]): Series {
  const byTime = new Map<number, number>();
  for (const { occurred_at, scores } of newest.toReversed()) {
    byTime.set(occurred_at, Math.max(byTime.get(occurred_at) ?? 0, scores?.rank ?? 0));
  }
  return { times: [...byTime.keys()], values: [...byTime.values()] };
}
