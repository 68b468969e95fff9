import { SEPARATOR, entityOf } from '../../domain/maths/series/units.js';
import type { Fact } from '../../domain/fact.js';
import type { SegmentFact } from '../../domain/segments/facts.js';
import { streamsIn } from '../../domain/segments/responses.js';
import type { Reader } from '../engine/reader.js';
import {
  segmentDocId,
  versionDocId,
  type SegmentDoc,
  type SegmentMomentDoc,
  type SegmentVersionDoc,
} from './documents.js';
import { momentId } from './projection.js';

export type SegmentQueries = ReturnType<typeof segmentQueries>;

/** Versions whose last table is kept, the newest first. */
export const TABLES_KEPT = 10;

async function stoodThen(read: Reader, segment: string, asOf: number): Promise<SegmentDoc | null> {
  const [found] = await read.find<SegmentMomentDoc>('segment_moments', {
    where: { segment, at: { lte: asOf } },
    sort: { by: ['at', '_id'], descending: true },
    limit: 1,
  });
  return found?.was ?? null;
}

export const segmentQueries = (read: Reader) => ({
  segment: (workspace: string, segmentId: string) =>
    read.get<SegmentDoc>('segments', segmentDocId(workspace, segmentId)),

  /** As it stood at a moment, epoch ms; null: it was not there, or is gone. */
  segmentThen: (workspace: string, segmentId: string, asOf: number) =>
    stoodThen(read, segmentDocId(workspace, segmentId), asOf),

  /** Newest first; as of a moment (epoch ms) those that are still there, as they stood. */
  async segments(workspace: string, limit: number, offset: number, asOf: number | null) {
    const where = { workspace, ...(asOf !== null && { created_at: { lte: asOf } }) };
    const sort = { by: ['created_at', '_id'], descending: true };
    const [now, total] = await Promise.all([
      read.find<SegmentDoc>('segments', { where, sort, limit, offset }),
      read.count('segments', where),
    ]);
    if (asOf === null) return { items: now, total };
    const then = await Promise.all(now.map(({ _id }) => stoodThen(read, _id, asOf)));
    return { items: then.filter(doc => doc !== null), total };
  },

  version: (workspace: string, segmentId: string, version: number) =>
    read.get<SegmentVersionDoc>(
      'segment_versions',
      versionDocId(segmentDocId(workspace, segmentId), version),
    ),

  /** Newest first. */
  async versions(workspace: string, segmentId: string, limit: number, offset: number) {
    const where = { segment: segmentDocId(workspace, segmentId) };
    const sort = { by: ['segment', '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<SegmentVersionDoc>('segment_versions', { where, sort, limit, offset }),
      read.count('segment_versions', where),
    ]);
    return { items, total };
  },

  /** How a segment stood after a fact of its own; null: it is gone. */
  after: async (fact: Fact<SegmentFact>): Promise<SegmentDoc | null> =>
    (await read.get<SegmentMomentDoc>('segment_moments', momentId(fact)))?.was ?? null,

  /**
   * Segments of the next workspace behind one that has any whose build waits or is under way, the oldest
   * first.
   */
  async openBehind(workspace: string, limit: number): Promise<SegmentDoc[]> {
    const [first] = await read.find<SegmentDoc>('segments', {
      where: { open: true, workspace: { gt: workspace } },
      sort: { by: ['workspace', 'created_at', '_id'] },
      limit: 1,
      fields: ['workspace'],
    });
    if (!first) return [];
    return read.find<SegmentDoc>('segments', {
      where: { open: true, workspace: first.workspace },
      sort: { by: ['created_at', '_id'] },
      limit,
    });
  },

  /** Those of all workspaces that name what is subscribed to, page by page. */
  aliased: () => read.pages<SegmentDoc>('segments', { where: { aliased: true }, sort: { by: ['_id'] } }),

  /** Of one workspace, page by page, the oldest first. */
  of: (workspace: string) =>
    read.pages<SegmentDoc>('segments', { where: { workspace }, sort: { by: ['created_at', '_id'] } }),
});

/** The signals and streams of these that a segment uses; those of entities by their base, too. */
export function usedOf(
  { recipe }: Pick<SegmentDoc, 'recipe'>,
  keys: readonly string[],
  streams: readonly string[],
): { readonly keys: readonly string[]; readonly streams: readonly string[] } {
  const named = new Set([recipe.target, ...recipe.inputs.map(({ key }) => key)]);
  const events = new Set(streamsIn(recipe));
  const isOfEntity = recipe.entity_mode === 'per_entity';
  return {
    keys: keys.filter(
      key =>
        named.has(key) || (isOfEntity && key.includes(SEPARATOR) && named.has(entityOf(key)?.base ?? '')),
    ),
    streams: streams.filter(key => events.has(key)),
  };
}
