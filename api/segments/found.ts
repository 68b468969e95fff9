import { isGone } from '../../commands/ports/contents.js';
import type { SegmentCommands } from '../../commands/segments.js';
import { Rejected } from '../../domain/rejected.js';
import { segmentNotFound } from '../../domain/segments/decider.js';
import { withDecided } from '../../projections/segments/changes.js';
import type { SegmentDoc } from '../../projections/segments/documents.js';
import { asOfIn } from '../edge/as-of.js';
import type { SegmentDeps } from './deps.js';

type Finding = Pick<SegmentDeps, 'queries' | 'clock'>;

/** @throws Rejected 404 */
export async function found({ queries }: Finding, workspace: string, segmentId: string): Promise<SegmentDoc> {
  const doc = await queries.segment(workspace, segmentId);
  if (!doc) throw segmentNotFound();
  return doc;
}

/** As it is, or as it was at a past moment that was asked for. @throws Rejected 404 */
export async function foundThen(
  deps: Finding,
  workspace: string,
  segmentId: string,
  given: string | undefined,
): Promise<{ readonly doc: SegmentDoc; readonly asOf: number | null }> {
  const asOf = asOfIn(given, deps.clock());
  if (asOf === null) return { doc: await found(deps, workspace, segmentId), asOf };
  const doc = await deps.queries.segmentThen(workspace, segmentId, asOf);
  if (!doc) throw segmentNotFound();
  return { doc, asOf };
}

type Decided = Awaited<ReturnType<SegmentCommands['rebuild']>>;
/**
 * A segment with what was decided of it just now, also where read models take too long to show it. `before`:
 * as it was read before; null: it is new.
 * @throws Rejected 404
 */
export async function foundAfter(
  { queries, visible }: Pick<SegmentDeps, 'queries' | 'visible'>,
  workspace: string,
  segmentId: string,
  before: SegmentDoc | null,
  { facts, position, after }: Decided,
): Promise<SegmentDoc> {
  await visible(position);
  const doc = await queries.segment(workspace, segmentId);
  const isHeld =
    after.status !== 'none' && doc && doc.revision >= after.revision && doc.build >= after.last.build;
  const known = isHeld ? doc : withDecided(before, facts);
  if (!known) throw segmentNotFound();
  return known;
}

/** What is read of a table. @throws Rejected 410 where its files are no longer there */
export async function kept<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new Rejected(
      'gone',
      'table_not_kept',
      'This table is no longer kept; the segment can be built again',
    );
  }
}
