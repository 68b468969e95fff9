import type { Fact } from '../../domain/fact.js';
import type { Visibility } from '../../domain/models/facts.js';
import type { Asker } from '../../domain/models/made.js';
import type { TrainingFact } from '../../domain/trainings/facts.js';
import { fairTurn } from '../../fair-turns.js';
import type { Reader } from '../engine/reader.js';
import type { Where } from '../engine/read-models.js';
import { trainingDocId, type AdapterDoc, type TrainingDoc } from './documents.js';

/** Which trainings of a workspace; null: whichever. Times (epoch ms) are of queuing, both included. */
export type TrainingFilter = {
  readonly pipelineId: string | null;
  readonly segmentId: string | null;
  /** The id in the catalogue of what is trained. */
  readonly model: string | null;
  readonly status: string | null;
  readonly from: number | null;
  readonly to: number | null;
};
/** Which adapters, beside who may see them. */
export type AdapterWhere = {
  readonly family?: string;
  readonly slug?: string;
  readonly task?: string;
  readonly owner?: string;
};
/** What is read of those that wait. */
export type WaitingTraining = Pick<TrainingDoc, '_id' | 'workspace' | 'training_id' | 'segment_id'>;
export type TrainingQueries = ReturnType<typeof trainingQueries>;

const MOST = 1_000;
const WAITING_PAGE = 200;

export function trainingQueries(read: Reader) {
  const training = (workspace: string, trainingId: string): Promise<TrainingDoc | null> =>
    read.get<TrainingDoc>('trainings', trainingDocId(workspace, trainingId));
  return {
    training,

    /** Of whichever workspace. */
    async byId(trainingId: string): Promise<TrainingDoc | null> {
      const where = { training_id: trainingId };
      return (await read.find<TrainingDoc>('trainings', { where, limit: 1 }))[0] ?? null;
    },

    /** Whether a file, by its SHA-256, serves what was trained in any workspace. */
    isServedBy: async (sha256: string): Promise<boolean> =>
      (await read.find<TrainingDoc>('trainings', { where: { graph: sha256 }, limit: 1 })).length > 0,

    /** How a fact's training stands, that fact included. */
    after: ({ data, meta }: Fact<TrainingFact>): Promise<TrainingDoc | null> =>
      training(meta.workspace!, data.trainingId),

    /** The newest first, and how many there are in all. */
    async page(workspace: string, filter: TrainingFilter, offset: number, limit: number) {
      const where = whereOf(workspace, filter);
      const sort = { by: ['queued_at', '_id'], descending: true };
      const [trainings, total] = await Promise.all([
        read.find<TrainingDoc>('trainings', { where, sort, offset, limit }),
        read.count('trainings', where),
      ]);
      return { trainings, total };
    },

    /** The newest of a workspace that are completed. */
    completed: (workspace: string, limit: number): Promise<TrainingDoc[]> =>
      read.find<TrainingDoc>('trainings', {
        where: { workspace, status: 'completed' },
        sort: { by: ['queued_at', '_id'], descending: true },
        limit,
      }),

    /** Those of all workspaces that are completed, page by page. */
    everyCompleted: () =>
      read.pages<TrainingDoc>('trainings', { where: { status: 'completed' }, sort: { by: ['_id'] } }),

    /** How many of a workspace wait that were queued before a time. */
    waitingBefore: (workspace: string, queuedAt: number): Promise<number> =>
      read.count('trainings', { waiting: true, workspace, queued_at: { lt: queuedAt } }),

    /**
     * Those that wait of one workspace, the oldest first, page by page: of the first that has any behind
     * another, in the order of ids.
     */
    async *waitingBehind(workspace: string): AsyncGenerator<WaitingTraining[]> {
      const [first] = await read.find<TrainingDoc>('trainings', {
        where: { waiting: true, workspace: { gt: workspace } },
        sort: { by: ['workspace', 'queued_at', '_id'] },
        limit: 1,
        fields: ['workspace', 'queued_at'],
      });
      if (!first) return;
      yield* read.pages<TrainingDoc>('trainings', {
        where: { waiting: true, workspace: first.workspace },
        sort: { by: ['queued_at', '_id'] },
        fields: ['workspace', 'queued_at', 'training_id', 'segment_id'],
        limit: WAITING_PAGE,
      });
    },

    /** Those that a process is at, or was before it was lost. */
    working: (): Promise<TrainingDoc[]> =>
      read.find<TrainingDoc>('trainings', { where: { working: true }, sort: { by: ['_id'] }, limit: MOST }),

    async adapter(adapterId: string): Promise<AdapterDoc | null> {
      const where = { adapter_id: adapterId };
      return (await read.find<AdapterDoc>('adapters', { where, limit: 1 }))[0] ?? null;
    },
    /** Public ones, and those that somebody alone may see; page by page, each in its turn. */
    async *adapters({ uid, workspaceIds }: Asker, of: Visibility | 'all', filter: AdapterWhere) {
      const hasOwn = of !== 'public' && (filter.owner ?? uid) === uid;
      const inTheirs = workspaceIds && { workspace: { in: workspaceIds } };
      const wanted: Where[] = [
        ...(of === 'private' ? [] : [{ ...filter, visibility: 'public' }]),
        ...(hasOwn ? [{ ...filter, ...inTheirs, owner: uid, visibility: 'private' }] : []),
      ];
      for (const where of wanted)
        for await (const page of read.pages<AdapterDoc>('adapters', { where, sort: { by: ['_id'] } })) {
          await fairTurn(uid);
          yield page;
        }
    },
  };
}

function whereOf(workspace: string, filter: TrainingFilter): Where {
  const { pipelineId, segmentId, model, status, from, to } = filter;
  const span = { ...(from !== null && { gte: from }), ...(to !== null && { lte: to }) };
  return {
    workspace,
    ...(pipelineId !== null && { pipeline_id: pipelineId }),
    ...(segmentId !== null && { segment_id: segmentId }),
    ...(model !== null && { model }),
    ...(status !== null && { status }),
    ...(Object.keys(span).length > 0 && { queued_at: span }),
  };
}
