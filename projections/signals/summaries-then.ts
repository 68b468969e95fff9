import { EARLIEST, LATEST } from '../../domain/time.js';
import type { Columns } from '../../domain/signals/points.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { PointsLeaf, SignalDoc, SignalSketchDoc } from './documents.js';
import { knownThen } from './known-then.js';

/** Leaves of a signal that are read to count its points of then; the others are counted unread. */
const COUNTED = 50;
const ALL = { from: EARLIEST, to: LATEST };

/** Points of a signal as they were at a moment. `count` null: too much has changed since to count them. */
export type SummaryThen = {
  readonly count: number | null;
  readonly first_at: number;
  readonly last_at: number;
  readonly last_value: number;
};
type Ends = Pick<SummaryThen, 'first_at' | 'last_at' | 'last_value'> & { readonly count: number };

/** What signals were at a past moment, mostly from their leaves in short. */
export function summariesThen(read: Reader) {
  const then = knownThen(read);

  /** Those of a signal's leaves that may hold what was known then, in order of time. */
  async function sketchesOf(tree: string, asOf: number): Promise<Stored<SignalSketchDoc>[]> {
    const found: Stored<SignalSketchDoc>[] = [];
    for await (const page of read.pages<SignalSketchDoc>('signal_sketches', {
      where: { tree },
      sort: { by: ['from', '_id'] },
      fields: ['from', 'known_since', 'recorded_until', 'count', 'first', 'last'],
    }))
      found.push(...page.filter(({ known_since: since }) => (since ?? asOf) <= asOf));
    return found;
  }

  /** What was known then of the leaf of a sketch; null: nothing. */
  async function endsOf(
    sketches: readonly Stored<SignalSketchDoc>[],
    i: number,
    asOf: number,
  ): Promise<Ends | null> {
    const sketch = sketches[i]!;
    if (isWhole(sketch, asOf)) {
      const { first, last, count } = sketch;
      return { count, first_at: first[0], last_at: last[0], last_value: last[1] };
    }
    const leaf = await read.get<PointsLeaf>('signal_points', sketch._id);
    return leaf && endsIn(await then.within(leaf, sketches[i + 1]?.from ?? null, ALL, asOf));
  }

  /** A signal as it was then; null: no point of it was known. */
  return async (doc: SignalDoc, asOf: number): Promise<SummaryThen | null> => {
    const { count, first_at, last_at, last_value, known_since: since } = doc;
    if (doc.recorded_at <= asOf) return { count, first_at, last_at, last_value };
    if (since !== undefined && since > asOf) return null;
    const sketches = await sketchesOf(doc._id, asOf);
    const changed = sketches.filter(sketch => !isWhole(sketch, asOf)).length;
    if (changed <= COUNTED) {
      let all: Ends | null = null;
      for (const i of sketches.keys()) all = joined(all, await endsOf(sketches, i, asOf));
      return all;
    }
    const first = await firstOf([...sketches.keys()], i => endsOf(sketches, i, asOf));
    const last = await firstOf([...sketches.keys()].reverse(), i => endsOf(sketches, i, asOf));
    return first && last && { ...last, first_at: first.first_at, count: null };
  };
}

const isWhole = ({ recorded_until: until }: SignalSketchDoc, asOf: number): boolean =>
  until !== undefined && until <= asOf;

/** Of two leaves, the second behind the first. */
function joined(a: Ends | null, b: Ends | null): Ends | null {
  if (!a || !b) return a ?? b;
  return { ...b, count: a.count + b.count, first_at: a.first_at };
}

/** The first that is there. */
async function firstOf(places: readonly number[], find: (place: number) => Promise<Ends | null>) {
  for (const place of places) {
    const found = await find(place);
    if (found) return found;
  }
  return null;
}

function endsIn({ times, values }: Columns): Ends | null {
  if (times.length === 0) return null;
  return { count: times.length, first_at: times[0]!, last_at: times.at(-1)!, last_value: values.at(-1)! };
}
