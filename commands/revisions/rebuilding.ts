import type { KeptRecipe } from '../../domain/segments/facts.js';
import { entityOf } from '../../domain/maths/series/units.js';
import { Rejected } from '../../domain/rejected.js';
import type { Affected } from '../../domain/revisions/causes.js';
import type { SegmentAfter, SegmentBefore } from '../../domain/revisions/facts.js';
import { lastCauseOf, type KnownRevision } from '../../domain/revisions/state.js';
import { streamsIn } from '../../domain/segments/responses.js';
import type { LiveSegment } from '../../domain/segments/state.js';
import type { Context } from '../engine/handle.js';
import type { SegmentCommands } from '../segments.js';

export type RebuildingDeps = { readonly segments: Pick<SegmentCommands, 'read' | 'rebuild'> };

/** Whether a table reads something of what changed for a goal. */
export function readsAny(recipe: KeptRecipe, { signals, streams }: Affected): boolean {
  const named = new Set([recipe.target, ...recipe.inputs.map(({ key }) => key)]);
  const isOfEntities = recipe.entity_mode === 'per_entity';
  const isRead = (key: string): boolean =>
    named.has(key) || (isOfEntities && named.has(entityOf(key)?.base ?? ''));
  return signals.some(isRead) || streamsIn(recipe).some(stream => streams.includes(stream));
}

/** A segment as its facts tell it now; null: it is gone. */
export async function segmentIn(
  { segments }: RebuildingDeps,
  workspace: string,
  segmentId: string,
): Promise<LiveSegment | null> {
  try {
    return await segments.read(workspace, segmentId);
  } catch (error) {
    if (error instanceof Rejected && error.kind === 'missing') return null;
    throw error;
  }
}

/** What became of the tables of a revision; `waits`: some are being built. */
export type Rebuilding = {
  readonly waits: boolean;
  readonly after: readonly SegmentAfter[];
  readonly failed: { readonly code: string; readonly message: string } | null;
};

/** Has the tables of a revision built from what is known now, those that are not yet. */
export async function rebuild(
  deps: RebuildingDeps,
  workspace: string,
  revision: KnownRevision,
  context: Context,
): Promise<Rebuilding> {
  const upTo = lastCauseOf(revision);
  const after: SegmentAfter[] = [];
  let waits = false;
  for (const { segmentId } of revision.before) {
    const segment = await segmentIn(deps, workspace, segmentId);
    if (!segment) continue;
    const { status, last, table } = segment;
    const begun = last.startedAt ?? -1;
    if (table && table.readAt > upTo && status !== 'building')
      after.push({ segmentId, tableHash: table.table_hash!, rows: table.rebuilt_rows ?? table.row_count });
    else if (status === 'failed' && begun > upTo) return { waits: false, after, failed: failedOf(segmentId) };
    else {
      waits = true;
      if (status !== 'building') await deps.segments.rebuild(workspace, segmentId, context);
    }
  }
  return { waits, after, failed: null };
}

const failedOf = (segmentId: string) => ({
  code: 'segment_failed',
  message: `The segment ${segmentId} could not be built from what is known now; its table stays`,
});

/** The tables that hang on what changed, as they are now. */
export async function segmentsOf(
  deps: RebuildingDeps,
  workspace: string,
  goals: readonly { readonly affected: Affected; readonly segmentId: string | null }[],
): Promise<readonly SegmentBefore[]> {
  const found = new Map<string, SegmentBefore>();
  for (const { affected, segmentId } of goals) {
    if (segmentId === null || found.has(segmentId)) continue;
    const segment = await segmentIn(deps, workspace, segmentId);
    if (segment && readsAny(segment.recipe, affected))
      found.set(segmentId, { segmentId, tableHash: segment.table?.table_hash ?? null });
  }
  return [...found.values()];
}
