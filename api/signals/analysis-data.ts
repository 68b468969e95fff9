import { stepOf, type Source } from '../../domain/maths/analysis.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { Columns } from '../../domain/signals/points.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { notValid } from '../edge/errors.js';

type Versioned = { readonly _at: number };
/** What analyses read. An alias reads as what it stands for. */
export type AnalysisReads = {
  readonly signals: (
    workspace: string,
    keys: readonly string[],
  ) => Promise<ReadonlyMap<string, Versioned & { readonly last_at: number }>>;
  readonly newestKeys: (workspace: string, count: number) => Promise<readonly string[]>;
  readonly newest: (workspace: string, key: string, to: number, count: number) => Promise<Columns>;
  readonly points: (workspace: string, key: string, from: number, to: number) => AsyncIterable<Columns>;
  readonly stream: (workspace: string, key: string) => Promise<Versioned | null>;
  readonly events: (
    workspace: string,
    key: string,
    from: number,
    to: number,
  ) => AsyncIterable<
    readonly { readonly occurred_at: number; readonly scores: { readonly rank: number } | null }[]
  >;
};

type Signal = { readonly key: string; readonly type: 'signal'; readonly at: number; readonly last: number };
type Stream = { readonly key: string; readonly type: 'event'; readonly at: number };
/** What an analysis is about, and in which state: the same positions mean the same data. */
export type Subjects = { readonly all: readonly (Signal | Stream)[]; readonly version: string };

/** Keys of signals, or else of event streams. @throws Rejected 422 for one that is neither */
export async function subjectsOf(
  reads: AnalysisReads,
  workspace: string,
  keys: readonly string[],
  parameter: string,
): Promise<Subjects> {
  const signals = await reads.signals(workspace, keys);
  const all = await Promise.all(
    keys.map(async (key): Promise<Signal | Stream | null> => {
      const signal = signals.get(key);
      if (signal) return { key, type: 'signal', at: signal._at, last: signal.last_at };
      const stream = await reads.stream(workspace, key);
      return stream && { key, type: 'event', at: stream._at };
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
  const from = span.from ?? (await beginning(reads, workspace, signals, to, span.steps));
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
  for (const { key, type } of all) {
    if (type === 'signal')
      sources.push({ key, type, series: await seriesOf(reads.points(workspace, key, from, to), counted) });
    else sources.push({ key, type, ...(await happenedIn(reads.events(workspace, key, from, to), counted)) });
  }
  return sources;
}

const min = (a: number, b: number): number => Math.min(a, b);
const max = (a: number, b: number): number => Math.max(a, b);

async function beginning(
  reads: AnalysisReads,
  workspace: string,
  signals: readonly Signal[],
  to: number,
  steps: number,
): Promise<number> {
  if (signals.length === 0) return EARLIEST;
  const samples = await Promise.all(
    signals.map(({ key, last }) => reads.newest(workspace, key, last, SAMPLE)),
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

async function happenedIn(pages: ReturnType<AnalysisReads['events']>, counted: (count: number) => void) {
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
