import { firstFrom } from '../../domain/maths/series/series.js';
import { unpacked, valuesOf } from '../../domain/signals/points.js';
import { iso } from '../../domain/time.js';
import type { WorkspaceKey } from '../../projections/engine/keys.js';
import type { SignalRevisionDoc } from '../../projections/signals/documents.js';
import { LEAF_POINTS } from '../../projections/signals/leaf.js';
import type { SignalDeps } from './deps.js';

export type Pair = readonly [time: number, value: number];

export type TimeRange = { readonly from: number; readonly to: number; readonly descending: boolean };

/** The newest points in a range of time, the newest first; `asOf` null: as they are known now. */
export async function newest(
  { queries }: SignalDeps,
  { workspace, key }: WorkspaceKey,
  { from, to }: TimeRange,
  count: number,
  asOf: number | null,
): Promise<Pair[]> {
  const { times, values } = await queries.newest(workspace, key, to, count, asOf);
  const first = firstFrom(times, from);
  return times
    .slice(first)
    .map((time, i): Pair => [time, values[first + i]!])
    .reverse();
}

/** The oldest points in a range of time, the oldest first; `asOf` null: as they are known now. */
export async function oldest(
  { queries }: SignalDeps,
  { workspace, key }: WorkspaceKey,
  { from, to }: TimeRange,
  count: number,
  asOf: number | null,
): Promise<Pair[]> {
  const points: Pair[] = [];
  const parts =
    asOf === null
      ? queries.points(workspace, key, from, to, 1 + Math.ceil(count / LEAF_POINTS))
      : queries.pointsKnown(workspace, key, from, to, asOf);
  for await (const { times, values } of parts) {
    for (let i = 0; i < times.length && points.length < count; i++) points.push([times[i]!, values[i]!]);
    if (points.length === count) break;
  }
  return points;
}

type Start = { readonly first: number | null; readonly taken: number };

/** Revision of the signal's journal, and how many of its values were given already. */
type Next = readonly [revision: number, taken: number];

/** Values that were replaced, from a start on in pages of replacements; and where to go on. */
export async function replaced(
  pages: AsyncIterable<readonly SignalRevisionDoc[]>,
  span: TimeRange,
  { first, taken }: Start,
  limit: number,
) {
  const revisions: object[] = [];
  for await (const page of pages)
    for (const doc of page) {
      const values = valuesIn(doc, span);
      const start = doc.revision === first ? taken : 0;
      const deps = limit - revisions.length;
      revisions.push(...values.slice(start, start + deps));
      if (values.length - start > deps) return { revisions, next: [doc.revision, start + deps] as Next };
    }
  return { revisions, next: null };
}

function valuesIn({ points, was, since, until }: SignalRevisionDoc, { from, to, descending }: TimeRange) {
  const recorded = valuesOf(since);
  const values = unpacked(points).times.flatMap((time, i) =>
    time < from || time > to
      ? []
      : { timestamp: iso(time), value: was[i]!, recorded_at: iso(recorded[i]!), replaced_at: iso(until) },
  );
  return descending ? values.reverse() : values;
}
