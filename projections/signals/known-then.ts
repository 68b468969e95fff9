import { setImmediate as turn } from 'node:timers/promises';
import { firstFrom } from '../../domain/maths/series/series.js';
import { unpacked, valuesOf, type Columns } from '../../domain/signals/points.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { PointsLeaf, SignalRevisionDoc, SignalSketchDoc } from './documents.js';
import { entriesOf } from './leaf.js';

/** Leaves that are looked at, in short, in one go. */
const SKETCHES = 100;
/** Replacements that are read in one go: each may hold a thousand points. */
const REPLACEMENTS = 20;

/** Times from one to another, both included; epoch ms. */
export type Times = { readonly from: number; readonly to: number };
type Sketch = Stored<Pick<SignalSketchDoc, '_id' | 'from' | 'known_since'>>;
/** A value that another took the place of; of several at a time the one of the latest revision counts. */
type Before = { readonly value: number; readonly revision: number };

/**
 * Points as they were known at a past moment: what was recorded last until then, in the order of the log. A
 * point that was recorded later is absent, one that was revised later has the value it had.
 *
 * A deletion counts at any moment: what went with it is gone from here, too.
 */
export function knownThen(read: Reader) {
  /** Values at some times that had been recorded by a moment and were replaced after it. */
  async function replacedSince(signal: string, { from, to }: Times, asOf: number) {
    const found = new Map<number, Before>();
    // What stood until a moment that is not later was replaced by what was known then
    for await (const page of read.pages<SignalRevisionDoc>('signal_revisions', {
      where: { signal, until: { gt: asOf }, from: { lte: to }, to: { gte: from } },
      sort: { by: ['until', 'from', 'to', '_id'] },
      limit: REPLACEMENTS,
    })) {
      for (const { points, was, since, revision } of page) {
        const recorded = valuesOf(since);
        for (const [i, time] of unpacked(points).times.entries()) {
          if (recorded[i]! > asOf || revision < (found.get(time)?.revision ?? 0)) continue;
          found.set(time, { value: was[i]!, revision });
        }
      }
      await turn();
    }
    return found;
  }

  /** The points of a leaf in a span of times as they were known then. */
  async function within(
    leaf: PointsLeaf,
    next: number | null,
    { from, to }: Times,
    asOf: number,
  ): Promise<Columns> {
    const entries = entriesOf(leaf, next);
    const start = firstFrom(entries.times, from);
    const end = firstFrom(entries.times, to + 1);
    const late: number[] = [];
    for (let i = start; i < end; i++) if (entries.recorded[i]! > asOf) late.push(entries.times[i]!);
    if (late.length === 0)
      return { times: entries.times.slice(start, end), values: entries.values.slice(start, end) };
    const before = await replacedSince(leaf.tree, { from: late[0]!, to: late.at(-1)! }, asOf);
    const times: number[] = [];
    const values: number[] = [];
    for (let i = start; i < end; i++) {
      const time = entries.times[i]!;
      const value = entries.recorded[i]! > asOf ? before.get(time)?.value : entries.values[i];
      if (value === undefined) continue;
      times.push(time);
      values.push(value);
    }
    return { times, values };
  }

  return {
    within,

    /**
     * Leaves that may hold points which were known at a moment, in order of time or the other way round, each
     * with where the one behind it begins. The others are passed over without being read.
     */
    async *leaves(tree: string, { from, to }: Times, asOf: number, descending: boolean) {
      const pages = read.pages<SignalSketchDoc>('signal_sketches', {
        where: { tree, from: { lte: to }, to: { gte: from } },
        sort: { by: ['from', '_id'], descending },
        fields: ['from', 'known_since'],
        limit: SKETCHES,
      });
      let behind: Stored<PointsLeaf> | null = null;
      for await (const page of pages) {
        const known = (page as Sketch[]).filter(({ known_since: since }) => (since ?? asOf) <= asOf);
        for (const { _id } of known) {
          // One by one: mostly the first few are enough
          const leaf: Stored<PointsLeaf> | null = await read.get<PointsLeaf>('signal_points', _id);
          if (!leaf) continue;
          if (descending) yield { leaf, next: behind?.from ?? null };
          else if (behind) yield { leaf: behind, next: leaf.from };
          behind = leaf;
        }
        await turn();
      }
      if (!descending && behind) yield { leaf: behind, next: null };
    },
  };
}
