import type { SourceSummary } from '../../domain/edges/summary.js';
import { isStale } from '../../domain/maths/series/cadence.js';
import { entityOf } from '../../domain/maths/series/units.js';
import { iso, SECOND } from '../../domain/time.js';
import type { Course, StreamCourse } from '../../projections/catalogue/courses.js';
import type { EntryThen } from '../../projections/catalogue/then.js';
import {
  originOf,
  unitOf,
  type Entry,
  type SignalEntry,
  type StreamEntry,
} from '../../projections/catalogue/entries.js';
import { summaryView } from '../catalogue/stream-summary.js';
import type { SignalDeps, Use } from './deps.js';

type Deps = Pick<SignalDeps, 'courses' | 'inUse' | 'edges'>;

/** Rows of the list, for signals and event streams; a stream whose last event went meanwhile has none. */
export async function entryViews(
  { courses, inUse, edges }: Deps,
  workspace: string,
  entries: readonly Entry[],
  now: number,
): Promise<object[]> {
  const signals = entries.filter(entry => entry.type === 'signal');
  const streams = entries.filter(entry => entry.type === 'event');
  const streamKeys = streams.map(({ key }) => key);
  const [ofSignals, ofStreams, driving, uses] = await Promise.all([
    courses.ofSignals(workspace, signals),
    courses.ofStreams(workspace, streams, now),
    edges(workspace, streamKeys),
    inUse(
      workspace,
      signals.map(({ key }) => key),
      streamKeys,
    ),
  ]);
  const views = new Map<Entry, object>();
  for (const [i, entry] of signals.entries()) views.set(entry, signalView(entry, ofSignals[i]!, uses, now));
  for (const [i, entry] of streams.entries()) {
    const course = ofStreams[i];
    if (course) views.set(entry, streamView(entry, course, { uses, now, edges: driving.get(entry.key) }));
  }
  return entries.flatMap(entry => views.get(entry) ?? []);
}

/** Rows of signals as they were at a past moment. */
export async function entryViewsThen(
  { inUse }: Pick<SignalDeps, 'inUse'>,
  workspace: string,
  entries: readonly EntryThen[],
  asOf: number,
): Promise<object[]> {
  const uses = await inUse(
    workspace,
    entries.map(({ entry }) => entry.key),
    [],
  );
  return entries.map(({ entry, count, course }) => ({ ...signalView(entry, course, uses, asOf), count }));
}

function signalView(entry: SignalEntry, course: Course, uses: readonly Use[], now: number) {
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
    ...courseView(course, doc.last_at, now),
    edges: null,
  };
}

type Beside = {
  readonly uses: readonly Use[];
  readonly now: number;
  readonly edges: SourceSummary | undefined;
};

function streamView(entry: StreamEntry, found: StreamCourse, { uses, now, edges }: Beside) {
  const { latest, last, firstAt, lastPast, scheduled, course } = found;
  return {
    ...summaryView(entry.doc, latest, scheduled, edges),
    ...common(entry, uses),
    unit: null,
    base: null,
    entity: null,
    first_at: iso(firstAt),
    last_at: iso(last.occurred_at),
    last_value: last.value,
    ...courseView(course, lastPast, now),
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

const courseView = ({ cadence, gaps, spark }: Course, lastAt: number, now: number) => ({
  cadence_s: cadence === null ? null : Math.max(1, Math.round(cadence / SECOND)),
  gaps,
  stale: isStale(lastAt, cadence, now),
  spark,
});
