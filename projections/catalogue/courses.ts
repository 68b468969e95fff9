import { fairTurn } from '../../fair-turns.js';
import { cadenceOf, gapsIn, sparkOf } from '../../domain/maths/series/cadence.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { EventDoc } from '../events/documents.js';
import type { EventQueries } from '../events/queries.js';
import type { SignalQueries } from '../signals/queries.js';
import type { SignalEntry, StreamEntry } from './entries.js';
import { keptWhileSame } from './kept.js';

/** So many of the newest points, or events up to now, tell a row's cadence, gaps and spark. */
export const NEWEST = 500;

/** What the newest values tell: median interval in ms, how many are gaps, and up to 50 numbers to draw. */
export type Course = {
  readonly cadence: number | null;
  readonly gaps: number;
  readonly spark: readonly number[];
};
/** What a row shows of a stream's events: the newest, when the first and the last occur, what is to come. */
export type StreamCourse = {
  /** That has happened or, when all are to come, the next one. */
  readonly latest: Latest;
  /** The one that occurs last, also where it is to come. */
  readonly last: Pick<EventDoc, 'occurred_at' | 'value'>;
  readonly firstAt: number;
  /** Of the last event up to now or, when all are to come, of the last one. */
  readonly lastPast: number;
  readonly scheduled: { readonly count: number; readonly next: number } | null;
  readonly course: Course;
};
export type Latest = Pick<EventDoc, 'occurred_at' | 'timestamp' | 'text' | 'scores'>;

type Signals = Pick<SignalQueries, 'newestOfEach' | 'upTo'>;
type Events = Pick<EventQueries, 'latest' | 'mostRecent' | 'firstAt' | 'scheduledIn' | 'newest' | 'upTo'>;

/** Rows that are found out about before others have their turn. */
const AT_ONCE = { signals: 20, streams: 5 };
/** Rows that are remembered, a signal's with about 1 kB; of streams, those with longer texts are not. */
const KEPT = { signals: 20_000, streams: 2_000, letters: 4_000 };

export type Courses = ReturnType<typeof courses>;

/**
 * What lists show of signals and streams besides their documents. It follows from points and events, and is
 * found out again only when something of a signal or stream has changed.
 */
export function courses(signals: Signals, events: Events) {
  const ofSignals = keptWhileSame<Course>(KEPT.signals);
  const ofStreams = keptWhileSame<StreamCourse & { readonly from: number; readonly until: number }>(
    KEPT.streams,
  );

  async function streamCourse({ place: { workspace, key } }: StreamEntry, now: number) {
    const [last, firstAt, scheduled, newest] = await Promise.all([
      events.latest(workspace, key),
      events.firstAt(workspace, key),
      events.scheduledIn(workspace, key, now),
      events.newest(workspace, key, now, NEWEST),
    ]);
    const isToCome = last && last.occurred_at > now;
    const latest = isToCome ? await events.mostRecent(workspace, key, now) : last;
    if (!last || !latest || firstAt === null) return null;
    const { occurred_at, timestamp, text, scores } = latest;
    return {
      latest: { occurred_at, timestamp, text, scores },
      last: { occurred_at: last.occurred_at, value: last.value },
      firstAt,
      lastPast: newest[0]?.occurred_at ?? last.occurred_at,
      scheduled,
      course: courseOf(ranksOf(newest)),
    };
  }

  return {
    /** For each entry, in their order; `workspace`: whose turn is taken for it. */
    async ofSignals(workspace: string, entries: readonly SignalEntry[]): Promise<Course[]> {
      const found = entries.map(({ doc }) => ofSignals.get(doc));
      const missing = entries.flatMap((entry, i) => (found[i] ? [] : { entry, i }));
      if (missing.length === 0) return found as Course[];
      // A page of facts may be half written: what is ahead of the whole is not kept
      const upTo = await signals.upTo();
      for (const some of inParts(missing, AT_ONCE.signals)) {
        await fairTurn(workspace);
        const newest = await signals.newestOfEach(
          some.map(({ entry }) => entry.place),
          NEWEST,
        );
        for (const [n, { entry, i }] of some.entries()) {
          const course = courseOf(newest[n]!);
          found[i] = course;
          if (entry.doc._at <= upTo) ofSignals.keep(entry.doc, course);
        }
      }
      return found as Course[];
    },

    /** For each entry, in their order; null: its last event has gone meanwhile. */
    async ofStreams(
      workspace: string,
      entries: readonly StreamEntry[],
      now: number,
    ): Promise<(StreamCourse | null)[]> {
      const found = entries.map(({ doc }): StreamCourse | null => {
        const kept = ofStreams.get(doc);
        return kept && kept.from <= now && now < kept.until ? kept : null;
      });
      const missing = entries.flatMap((entry, i) => (found[i] ? [] : { entry, i }));
      if (missing.length === 0) return found;
      const upTo = await events.upTo();
      for (const some of inParts(missing, AT_ONCE.streams)) {
        await fairTurn(workspace);
        const all = await Promise.all(some.map(({ entry }) => streamCourse(entry, now)));
        for (const [n, { entry, i }] of some.entries()) {
          const course = all[n]!;
          found[i] = course;
          if (!course || entry.doc._at > upTo || course.latest.text.length > KEPT.letters) continue;
          // When an event comes due, what lies in the past is another
          const toCome = course.last.occurred_at > now;
          const until = course.scheduled?.next ?? (toCome ? now : Infinity);
          ofStreams.keep(entry.doc, { ...course, from: now, until });
        }
      }
      return found;
    },
  };
}

export function courseOf(newest: Series): Course {
  const cadence = cadenceOf(newest.times);
  return { cadence, gaps: gapsIn(newest.times, cadence), spark: sparkOf(newest) };
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

export function* inParts<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < list.length; from += size) yield list.slice(from, from + size);
}
