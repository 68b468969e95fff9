import type { Reader } from '../engine/reader.js';
import {
  cycleDocId,
  pipelineDocId,
  type CandidateDoc,
  type CycleDoc,
  type PipelineDoc,
} from './documents.js';

export type PipelineQueries = ReturnType<typeof pipelineQueries>;
type Paging = { readonly limit: number; readonly offset: number };

export const pipelineQueries = (read: Reader) => {
  const pipeline = (workspace: string, pipelineId: string) =>
    read.get<PipelineDoc>('pipelines', pipelineDocId(workspace, pipelineId));
  const newest = async <D extends { readonly _id: string }>(
    collection: string,
    by: string,
    where: Readonly<Record<string, string>>,
    paging: Paging,
  ) => {
    const sort = { by: [by, '_id'], descending: true };
    const [items, total] = await Promise.all([
      read.find<D>(collection, { where, sort, ...paging }),
      read.count(collection, where),
    ]);
    return { items, total };
  };
  return {
    /** Null: the workspace has none with this id. */
    pipeline,
    /** Newest first, and how many there are in all. */
    pipelines: (workspace: string, paging: Paging) =>
      newest<PipelineDoc>('pipelines', 'created_at', { workspace }, paging),
    count: (workspace: string): Promise<number> => read.count('pipelines', { workspace }),
    /** Ids of those that train on a segment, 100 at most. */
    async onSegment(workspace: string, segmentId: string): Promise<string[]> {
      const where = { workspace, segment_id: segmentId };
      const found = await read.find<PipelineDoc>('pipelines', { where, sort: { by: ['_id'] }, limit: 100 });
      return found.map(({ pipeline_id }) => pipeline_id);
    },
    /** Ids of those of a workspace whose pool holds a model of the catalogue. */
    async withModel(workspace: string, modelId: string): Promise<string[]> {
      const found: string[] = [];
      const sort = { by: ['created_at', '_id'] };
      for await (const page of read.pages<PipelineDoc>('pipelines', { where: { workspace }, sort }))
        for (const { pipeline_id: id, state } of page)
          if (state.settings.entries.some(entry => entry.modelId === modelId)) found.push(id);
      return found;
    },
    cycle: ({ _id }: Pick<PipelineDoc, '_id'>, cycleId: string): Promise<CycleDoc | null> =>
      read.get<CycleDoc>('pipeline_cycles', cycleDocId(_id, cycleId)),
    /** By id, in a list of pipelines. */
    lastCycles: (docs: readonly PipelineDoc[]) =>
      read.load<CycleDoc>(
        'pipeline_cycles',
        docs.flatMap(({ _id, last_cycle }) => (last_cycle === null ? [] : [cycleDocId(_id, last_cycle)])),
      ),
    /** Newest first. */
    cycles: ({ _id }: Pick<PipelineDoc, '_id'>, paging: Paging) =>
      newest<CycleDoc>('pipeline_cycles', 'started_at', { pipeline: _id }, paging),
    candidate: ({ _id }: Pick<PipelineDoc, '_id'>, candidateId: string): Promise<CandidateDoc | null> =>
      read.get<CandidateDoc>('pipeline_candidates', cycleDocId(_id, candidateId)),
    /** Newest first. */
    candidates: ({ _id }: Pick<PipelineDoc, '_id'>, paging: Paging) =>
      newest<CandidateDoc>('pipeline_candidates', 'created_at', { pipeline: _id }, paging),

    /** Whoever's, page by page: those whose time may have come. */
    due: (now: number) =>
      read.pages<PipelineDoc>('pipelines', {
        where: { due_at: { lte: now } },
        sort: { by: ['due_at', '_id'] },
      }),
    /** Whose candidates expire, or return. */
    toKeep: (now: number) =>
      read.pages<PipelineDoc>('pipelines', {
        where: { keep_at: { lte: now } },
        sort: { by: ['keep_at', '_id'] },
      }),
    /** Those that new points may begin a cycle of. */
    watching: () =>
      read.pages<PipelineDoc>('pipelines', { where: { watching: true }, sort: { by: ['_id'] } }),
    /** Those with a retry that began by then and is not over. */
    retryingSince: (by: number) =>
      read.pages<PipelineDoc>('pipelines', {
        where: { retrying_since: { lte: by } },
        sort: { by: ['retrying_since', '_id'] },
      }),
  };
};
