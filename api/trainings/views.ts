import type { ReportHead } from '../../commands/trainings/files.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import { iso, SECOND } from '../../domain/time.js';
import type { BlueprintThen, QueuedWhat } from '../../domain/trainings/facts.js';
import type { BacktestPoint } from '../../domain/trainings/report.js';
import { isOpen } from '../../domain/trainings/state.js';
import type { TrainingDoc } from '../../projections/trainings/documents.js';

const time = (ms: number | null): string | null => (ms === null ? null : iso(ms));

/** The model in a few words. */
function modelRow(uid: string, name: string, what: QueuedWhat) {
  const of = { uid, kind: what.kind, name, family: null, slug: null, algorithm: null, adapter_id: null };
  if (what.kind === 'custom') return { ...of, algorithm: what.recipe.algorithm };
  if (what.kind === 'byom') return { ...of, ...what.model };
  const { family, slug } = what.fineTune.model;
  return { ...of, family, slug, adapter_id: what.adapterId };
}

/** `waiting`: how many of the workspace wait before it. */
export function trainingView(doc: TrainingDoc, waiting: number | null) {
  const { training_id, status, pipeline_id, cycle_id, segment_id, segment_version, table_hash } = doc;
  const { intensity, lookback, horizon, seed, metric, trigger, retry_of, attempt } = doc;
  const { started_at: startedAt, finished_at: finishedAt, artifact } = doc;
  return {
    ...{ training_id, status, pipeline_id, cycle_id, segment_id, segment_version, table_hash },
    data_cutoff: time(doc.data_cutoff),
    model: modelRow(doc.model, doc.blueprint.name, doc.what),
    kind: doc.what.kind,
    ...{ intensity, lookback, horizon, seed, metric, trigger, retry_of, attempt },
    queued_at: iso(doc.queued_at),
    started_at: time(startedAt),
    finished_at: time(finishedAt),
    duration_s:
      finishedAt === null || startedAt === null ? null : Math.round((finishedAt - startedAt) / SECOND),
    progress: doc.progress,
    stage: isOpen(status) ? status : null,
    queue_position: waiting,
    credits_charged: creditsNumber(doc.charged),
    artifact: artifact && {
      format: artifact.format,
      size_bytes: artifact.sizeBytes,
      sha256: artifact.sha256,
    },
    score: doc.score,
    baseline_score: doc.baseline_score,
    error: doc.error,
  };
}

/** The model as it was, with what it is made of. */
export function blueprintView(blueprint: BlueprintThen, ownerName: string | null) {
  const { uid, kind, name, purpose, description, visibility, categories, tags, metadata, owner } = blueprint;
  const common = {
    ...{ uid, kind, name, purpose, description, visibility, categories, tags, metadata },
    owner: owner === null ? null : { user_id: owner, name: ownerName },
  };
  if (blueprint.kind === 'custom') return { ...common, ...blueprint.recipe };
  if (blueprint.kind === 'byom') return common;
  const { model, ...rest } = blueprint.foundation;
  return { ...common, ...model, ...rest };
}

export function reportView(head: ReportHead) {
  return {
    ...head,
    folds: head.folds.map(({ train_from, train_to, test_from, test_to, ...fold }) => ({
      ...fold,
      ...{ train_from: iso(train_from), train_to: iso(train_to) },
      ...{ test_from: iso(test_from), test_to: iso(test_to) },
    })),
  };
}

export const pointView = ({ ts, ...point }: BacktestPoint) => ({ ...point, ts: iso(ts) });
