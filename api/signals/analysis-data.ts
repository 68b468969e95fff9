import { fairTurn, paced } from '../../fair-turns.js';
import { stepOf, type Source } from '../../domain/maths/analysis.js';
import { Cancelled } from '../../domain/maths/compute.js';
import { Rejected } from '../../domain/rejected.js';
import type { Series } from '../../domain/maths/series/series.js';
import type { Columns } from '../../domain/signals/points.js';
import type { EventQueries } from '../../projections/events/queries.js';
import { EARLIEST, LATEST } from '../../domain/time.js';
import type { AnalysisReads, Signal, Subjects } from './subjects.js';

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

/** Points, or events, that one turn is for. */
const A_TURN = 1_000;

/**
 * Reads what an analysis needs, with turns for others.
 * @throws Rejected 422 when that is more than a million points; Cancelled
 */
export async function sourcesOf(
  reads: Pick<AnalysisReads, 'signals'>,
  workspace: string,
  { all }: Subjects,
  span: TimeWindow,
  signal: AbortSignal,
): Promise<Source[]> {
  await fairTurn(workspace);
  const pace = paced(workspace, A_TURN);
  const signals = all.filter(each => each.type === 'signal');
  const to =
    span.to
    ?? (signals.length > 0 ? signals.map(({ last }) => last).reduce(span.common ? min : max) : LATEST);
  const from = span.from ?? (await beginning(reads, signals, to, span.steps));
  let left = MOST_POINTS;
  const counted = (count: number): Promise<void> => {
    if (signal.aborted) throw new Cancelled();
    left -= count;
    if (left < 0)
      throw new Rejected(
        'unprocessable',
        'analysis_too_large',
        `The analysis needs more than ${MOST_POINTS} points; ask for fewer keys or a shorter time`,
        { limit_points: MOST_POINTS },
      );
    return pace(count);
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
  reads: Pick<AnalysisReads, 'signals'>,
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

type Counted = (count: number) => Promise<void>;

async function seriesOf(parts: AsyncIterable<Columns>, counted: Counted): Promise<Series> {
  const all: Columns[] = [];
  for await (const part of parts) {
    await counted(part.times.length);
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

async function happenedIn(pages: ReturnType<EventQueries['between']>, counted: Counted) {
  const times: number[] = [];
  const ranks: (number | null)[] = [];
  for await (const page of pages) {
    await counted(page.length);
    for (const { occurred_at, scores } of page) {
      times.push(occurred_at);
      ranks.push(scores?.rank ?? null);
    }
  }
  return { times: Float64Array.from(times), ranks };
}
