import type { DecidePromotion, NoteTrained, StartCycle } from '../../../domain/pipelines/commands.js';
import type { CycleEntry, CycleResult, PipelineCreated } from '../../../domain/pipelines/facts.js';
import { DEFAULTS, type PipelineSettings, type PoolEntry } from '../../../domain/pipelines/settings.js';
import type { Comparison } from '../../../domain/trainings/comparison.js';

export const of = { workspace: 'w', pipelineId: 'pip_1' } as const;
/** A moment of November 2026, epoch ms. */
export const NOW = Date.UTC(2026, 10, 23, 12);

export const entryOf = (model: string): PoolEntry => ({
  ref: { model },
  ...{ kind: 'custom', modelId: model, family: null, slug: null, name: model },
  ...{ intensity: null, lookback: null },
});
export const settings = (over: Partial<PipelineSettings> = {}): PipelineSettings => ({
  ...{
    name: 'Orders',
    segmentId: 'seg_1',
    entries: [entryOf('blueprint__ets'), entryOf('blueprint__theta')],
  },
  ...{ horizon: 12, metric: 'mase', schedule: null, policy: DEFAULTS.policy, onNewData: null },
  monthlyCreditCap: null,
  ...over,
});
export const withPolicy = (over: Partial<PipelineSettings['policy']>): PipelineSettings =>
  settings({ policy: { ...DEFAULTS.policy, ...over } });
export const created = (over: Partial<PipelineSettings> = {}): PipelineCreated & { at: number } => ({
  type: 'PipelineCreated',
  data: { pipelineId: 'pip_1', settings: settings(over), owner: 'usr_1', rowsSeen: 0 },
  at: NOW,
});

export const cycleEntry = (n: number, over: Partial<CycleEntry> = {}): CycleEntry => ({
  ...{ entry: entryOf(`m${n}`), trainingId: `trn_${n}`, price: 1_000, refused: null },
  ...over,
});
export const start = (over: Partial<StartCycle['data']> = {}): StartCycle => ({
  type: 'StartCycle',
  data: {
    ...of,
    ...{ at: NOW, cycleId: 'cyc_1', number: 1, trigger: 'manual', seed: 7, rowsSeen: 100 },
    entries: [cycleEntry(1), cycleEntry(2)],
    ...over,
  },
});
export const comparison = (improvement: number, low = improvement - 0.01): Comparison => ({
  score: 1 - improvement,
  against: 1,
  improvement,
  interval: [low, improvement + 0.01],
});
export const result = (n: number, over: Partial<CycleResult> = {}): CycleResult => ({
  ...{ trainingId: `trn_${n}`, status: 'completed', score: n / 10, isServable: true },
  ...{ comparison: null, coverage: 0.8, charged: 1_000, error: null },
  ...over,
});
export const failure = (n: number): CycleResult => ({
  ...result(n, { status: 'failed', score: null, isServable: false, coverage: null, charged: 0 }),
  error: { code: 'too_short', message: 'too short' },
});
export const note = (of1: CycleResult, over: Partial<NoteTrained['data']> = {}): NoteTrained => ({
  type: 'NoteTrained',
  data: { ...of, at: NOW, cycleId: 'cyc_1', result: of1, candidateId: 'cnd_1', ...over },
});
export const decide = (over: Partial<DecidePromotion['data']> = {}): DecidePromotion => ({
  type: 'DecidePromotion',
  data: {
    ...of,
    ...{ at: NOW, decision: 'approve', candidateId: null, demotePrevious: null, reason: null },
    ...{ until: null, seen: null, by: 'usr_2' },
    ...over,
  },
});
