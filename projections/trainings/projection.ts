import type { Fact } from '../../domain/fact.js';
import type {
  TrainingCancelled,
  TrainingCompleted,
  TrainingFact,
  TrainingFailed,
  TrainingQueued,
} from '../../domain/trainings/facts.js';
import { AT_WORK, type TrainingStatus } from '../../domain/trainings/state.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import { adapterAfter, adapterOf } from './adapters.js';
import { trainingDocId, type AdapterDoc, type TrainingDoc } from './documents.js';

type Docs = { adapters: AdapterDoc; trainings: TrainingDoc };

const idOf = ({ data, meta }: Fact<TrainingFact>): string => trainingDocId(meta.workspace!, data.trainingId);

/** Trainings, and the adapters that come of some. */
export const trainingsProjection: Projection = projection<Docs, TrainingFact>({
  name: 'trainings',
  version: 2,
  collections: {
    adapters: { indexes: [['adapter_id'], ['visibility', '_id'], ['owner', '_id']], idOf },
    trainings: {
      indexes: [
        ['workspace', 'queued_at', '_id'],
        ['workspace', 'status', 'queued_at', '_id'],
        ['workspace', 'pipeline_id', 'queued_at', '_id'],
        ['workspace', 'segment_id', 'queued_at', '_id'],
        ['workspace', 'cycle_id', '_id'],
        ['waiting', 'workspace', 'queued_at', '_id'],
        ['working', '_id'],
        ['training_id'],
        ['graph', '_id'],
      ],
      idOf,
    },
  },
  on: {
    TrainingQueued(_, fact) {
      const adapter = adapterOf(fact);
      return { trainings: queued(fact), ...(adapter && { adapters: adapter }) };
    },
    TrainingClaimed: (before, fact) =>
      became(before, fact, ({ started_at }) => ({
        ...isNow('preparing'),
        attempt: fact.data.attempt,
        progress: 0,
        started_at: started_at ?? fact.at,
      })),
    TrainingPrepared: (before, fact) =>
      became(before, fact, () => ({
        ...isNow('running'),
        segment_version: fact.data.segmentVersion,
        table_hash: fact.data.tableHash,
        data_cutoff: fact.data.dataCutoff,
        horizon: fact.data.horizon,
      })),
    TrainingProgressed: (before, fact) =>
      became(before, fact, () => ({ ...isNow(fact.data.stage), progress: fact.data.progress })),
    TrainingRequeued: (before, fact) => became(before, fact, () => ({ ...isNow('queued'), progress: 0 })),
    TrainingCompleted: (before, fact) => became(before, fact, doc => completed(doc, fact)),
    TrainingFailed: (before, fact) => became(before, fact, () => failed(fact)),
    TrainingSkipped: (before, fact) => {
      const { code, message } = fact.data;
      return became(before, fact, () => ({
        ...ended('skipped', fact),
        error: { code, message, retryable: true },
      }));
    },
    TrainingCancelled: (before, fact) => became(before, fact, () => cancelled(fact)),
  },
});

function became(
  { trainings: doc, adapters: adapter }: Before<Docs>,
  fact: Fact<TrainingFact>,
  changes: (doc: TrainingDoc) => Partial<TrainingDoc>,
): After<Docs> {
  if (!doc) return {};
  return {
    trainings: { ...doc, sign_at: fact.at, ...changes(doc) },
    ...(adapter && { adapters: adapterAfter(adapter, fact) }),
  };
}

const isNow = (status: TrainingStatus) => ({
  status,
  waiting: status === 'queued',
  working: AT_WORK.includes(status),
});
const ended = (status: TrainingStatus, { at }: Fact) => ({ ...isNow(status), finished_at: at });

function completed({ price }: TrainingDoc, fact: Fact<TrainingCompleted>): Partial<TrainingDoc> {
  const { score, baselineScore, metrics, warnings, comparison } = fact.data;
  const { report, points, servable, artifact } = fact.data;
  return {
    ...ended('completed', fact),
    progress: 1,
    charged: price.amount,
    ...{
      score,
      metrics,
      warnings,
      comparison,
      report,
      points,
      servable,
      artifact,
      graph: servable?.graph ?? null,
    },
    baseline_score: baselineScore,
  };
}

function failed(fact: Fact<TrainingFailed>): Partial<TrainingDoc> {
  const { code, message, retryable } = fact.data;
  return { ...ended('failed', fact), error: { code, message, retryable } };
}

const cancelled = (fact: Fact<TrainingCancelled>): Partial<TrainingDoc> => ({
  ...ended('cancelled', fact),
  charged: fact.data.used?.amount ?? 0,
});

function queued({ data, meta, at }: Fact<TrainingQueued>): TrainingDoc {
  const workspace = meta.workspace!;
  return {
    _id: trainingDocId(workspace, data.trainingId),
    workspace,
    training_id: data.trainingId,
    ...isNow('queued'),
    ...{ attempt: 0, sign_at: at, queued_at: at, started_at: null, finished_at: null },
    ...{ pipeline_id: data.pipelineId, cycle_id: data.cycleId, segment_id: data.segmentId },
    ...{ segment_version: null, table_hash: null, data_cutoff: null },
    ...{ what: data.what, model: data.blueprint.uid, blueprint: data.blueprint },
    ...{ intensity: data.intensity, lookback: data.lookback, horizon: data.horizon },
    ...{ seed: data.seed, metric: data.metric, trigger: data.trigger, price: data.price },
    ...{ retry_of: data.retryOf, against: data.against, owner: data.owner },
    ...{ progress: 0, charged: 0, score: null, baseline_score: null, metrics: null, warnings: [] },
    ...{
      comparison: null,
      report: null,
      points: null,
      servable: null,
      graph: null,
      artifact: null,
      error: null,
    },
  };
}
