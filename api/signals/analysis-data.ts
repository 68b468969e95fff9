import { stepOf, type Source } from '../../domain/maths/analysis.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { Columns } from '../../domain/signals/points.js';
import type { Catalogue } from '../../projections/catalogue/queries.js';
import type { WorkspaceKey } from '../../projections/engine/keys.js';
import type { EventQueries } from '../../projections/events/queries.js';
import type { EventReads } from '../../projections/marketplace/event-reads.js';
import type { SignalQueries } from '../../projections/signals/queries.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { notValid } from '../edge/errors.js';

/** What analyses read. Aliases read as what they stand for. */
export type AnalysisReads = {
  readonly catalogue: Pick<Catalogue, 'signals' | 'newestKeys'>;
  readonly signals: Pick<SignalQueries, 'newest' | 'points'>;
  readonly events: Pick<EventReads, 'ofStream'>;
};

type Signal = {
  readonly key: string;
  readonly type: 'signal';
  readonly at: number;
  readonly last: number;
  readonly place: WorkspaceKey;
};
type Stream = {
  readonly key: string;
  readonly type: 'event';
  readonly at: number;
  readonly queries: EventQueries;
};
/** What an analysis is about, and in which state: the same positions mean the same data. */
export type Subjects = { readonly all: readonly (Signal | Stream)[]; readonly version: string };

/** Keys of signals, or else of event streams. @throws Rejected 422 for one that is neither */
export async function subjectsOf(
  reads: AnalysisReads,
  workspace: string,
  keys: readonly string[],
  parameter: string,
): Promise<Subjects> {
  const signals = await reads.catalogue.signals(workspace, keys);
  const all = await Promise.all(
    keys.map(async (key): Promise<Signal | Stream | null> => {
      const signal = signals.get(key);
      if (signal)
        return { key, type: 'signal', at: signal.doc._at, last: signal.doc.last_at, place: signal.place };
      const queries = await reads.events.ofStream(workspace, key);
      const stream = await queries?.stream(workspace, key);
      return queries && stream ? { key, type: 'event', at: stream._at, queries } : null;
    }),
  );
  const unknown = keys.filter((_, i) => all[i] === null);
  if (unknown.length > 0)
    throw notValid(
      unknown.map(key => ({
        loc: ['query', parameter],
        msg: 'is no signal and no event stream',
        type: 'unknown_key',
        input: key,
      })),
    );
  const found = all.filter(each => each !== null);
  return { all: found, version: found.map(({ type, at }) => `${type}${at}`).join() };
}

/** Points of one analysis, of all its sources together. */
const MOST_POINTS = 1_000_000;
/** So many points tell how far apart those of a signal are. */
const SAMPLE = 200;
/** More steps than asked for are read, since some may have holes. */
const SLACK = 1.25;

/**
 * `to` null: up to the newest point of any signal, or where all have some (`common`). `from` null: the latest
 * `steps`.
 */
export type TimeWindow = {
  readonly from: number | null;
  readonly to: number | null;
  readonly steps: number;
  readonly common: boolean;
};

/** Reads what an analysis needs. @throws Rejected 422 when that is more than a million points; Cancelled */
export async function sourcesOf(
  reads: AnalysisReads,
  workspace: string,
  { all }: Subjects,
  span: TimeWindow,
  signal: AbortSignal,
): Promise<Source[]> {
  const signals = all.filter(each => each.type === 'signal');
  const to =
    span.to
    ?? (signals.length > 0 ? signals.map(({ last }) => last).reduce(span.common ? min : max) : LATEST);
  const from = span.from ?? (await beginning(reads, signals, to, span.steps));
  let left = MOST_POINTS;
  const counted = (count: number): void => {
    if (signal.aborted) throw new Cancelled();
    left -= count;
    if (left < 0)
      throw new Rejected(
        'unprocessable',
        'analysis_too_large',
        `The analysis needs more than ${MOST_POINTS} points; ask for fewer keys or a shorter time`,
        { limit_points: MOST_POINTS },
      );
  };
  const sources: Source[] = [];
  for (const each of all) {
    const { key } = each;
    if (each.type === 'signal') {
      const points = reads.signals.points(each.place.workspace, each.place.key, from, to);
      sources.push({ key, type: 'signal', series: await seriesOf(points, counted) });
    } else {
      const events = each.queries.between(workspace, key, from, to);
      sources.push({ key, type: 'event', ...(await happenedIn(events, counted)) });
    }
  }
  return sources;
}

const min = (a: number, b: number): number => Math.min(a, b);
const max = (a: number, b: number): number => Math.max(a, b);

async function beginning(
  reads: AnalysisReads,
  signals: readonly Signal[],
  to: number,
  steps: number,
): Promise<number> {
  if (signals.length === 0) return EARLIEST;
  const samples = await Promise.all(
    signals.map(({ place, last }) => reads.signals.newest(place.workspace, place.key, last, SAMPLE)),
  );
  return Math.max(EARLIEST, to - Math.ceil(steps * SLACK) * stepOf(samples));
}

async function seriesOf(parts: AsyncIterable<Columns>, counted: (count: number) => void): Promise<Series> {
  const all: Columns[] = [];
  for await (const part of parts) {
    counted(part.times.length);
    all.push(part);
  }
  return { times: column(all.map(({ times }) => times)), values: column(all.map(({ values }) => values)) };
}

function column(parts: readonly (readonly number[])[]): Float64Array {
  const joined = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

async function happenedIn(pages: ReturnType<EventQueries['between']>, counted: (count: number) => void) {
  const times: number[] = [];
  const ranks: (number | null)[] = [];
  for await (const page of pages) {
    counted(page.length);
    for (const { occurred_at, scores } of page) {
      times.push(occurred_at);
      ranks.push(scores?.rank ?? null);
    }
  }
  return { times: Float64Array.from(times), ranks };
}
