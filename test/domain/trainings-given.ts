import type { TrainingCompleted, TrainingFact, TrainingQueued } from '../../domain/trainings/facts.js';

export const id = 'trn_0000000000000001';
export const of = { workspace: 'w', trainingId: id };
const price = {
  item: 'training.custom',
  quantity: 1,
  rate: '1',
  ratesVersion: '1',
  amount: 1_000,
};

export const queuedData: TrainingQueued['data'] = {
  trainingId: id,
  segmentId: 'seg_1',
  what: { kind: 'custom', recipe: { algorithm: 'theta', hyperparameters: { period: null } } },
  blueprint: {
    ...{ uid: 'mdl_1', owner: 'usr_1', name: 'Theta of ours', purpose: null, description: '' },
    ...{ categories: [], tags: [], metadata: {} },
    visibility: 'private',
    kind: 'custom',
    recipe: { algorithm: 'theta', hyperparameters: { period: null } },
  },
  ...{ intensity: null, lookback: null, horizon: 12, seed: 7, metric: 'mase', trigger: 'manual' },
  ...{ pipelineId: null, cycleId: null, retryOf: null, against: null, owner: 'usr_1', price },
};
export const queued: TrainingFact = { type: 'TrainingQueued', data: queuedData };
export const claimed = (attempt = 1): TrainingFact => ({
  type: 'TrainingClaimed',
  data: { trainingId: id, attempt, worker: 'here' },
});
const ready = { segmentVersion: 1, tableHash: 'a'.repeat(64), dataCutoff: 1, horizon: 12 };
export const preparedData = (attempt = 1) => ({ trainingId: id, attempt, ...ready });
export const prepared = (attempt = 1): TrainingFact => ({
  type: 'TrainingPrepared',
  data: preparedData(attempt),
});
export const progressed = (
  progress: number,
  stage: 'running' | 'evaluating' = 'running',
  attempt = 1,
): TrainingFact => ({
  type: 'TrainingProgressed',
  data: { trainingId: id, attempt, stage, progress, lines: [] },
});
export const requeued = (attempt: number, isLoss = true, reason = 'gone'): TrainingFact => ({
  type: 'TrainingRequeued',
  data: { trainingId: id, attempt, reason, isLoss },
});
const metrics = {
  ...{ mase: 0.8, rmsse: 0.7, smape: 10, mae: 3, crps: 2, coverage_80: 0.8, coverage_95: 0.95 },
  bias: 0,
};
export const told = { owner: 'usr_1', pipelineId: null };
export const completedData = (
  attempt = 1,
): Omit<TrainingCompleted['data'], keyof typeof told | 'metric'> => ({
  ...{ trainingId: id, attempt, score: 0.8, baselineScore: 1, metrics, warnings: [], comparison: null },
  ...{ report: 'b'.repeat(64), points: 'c'.repeat(64), servable: null, artifact: null, lines: [] },
});
export const completed = (attempt = 1): TrainingFact => ({
  type: 'TrainingCompleted',
  data: { ...completedData(attempt), ...told, metric: 'mase' },
});
