import { DEFAULTS, type Input } from '../../domain/segments/recipe.js';
import type { KeptFeature, KeptRecipe, KeptTable, SegmentFact } from '../../domain/segments/facts.js';

export const id = 'seg_1';
export const of = { workspace: 'w', segmentId: id };
export const HOUR = 3_600_000;
/** 2026-01-05T00:00:00Z, a Monday. */
export const START = 1_767_571_200_000;
export const hour = (i: number): number => START + i * HOUR;

export const recipe = (over: Partial<KeptRecipe> = {}): KeptRecipe => ({
  ...{ target: 'orders', inputs: [], event_streams: [], features: [], step_s: 3_600, from: null, to: null },
  ...{ entity_mode: DEFAULTS.entity_mode, timezone: DEFAULTS.timezone, fill: DEFAULTS.fill },
  ...{ aggregate: DEFAULTS.aggregate, split: DEFAULTS.split, normalization: DEFAULTS.normalization },
  ...over,
});
export const input = (key: string, over: Partial<Input> = {}): Input => ({
  ...{ key, role: 'past', lag_s: 0, transform: 'none' },
  ...over,
});
export const lag = (
  name: string,
  column: string,
  steps: number,
  feature_id = `ftr_${name}`,
): KeptFeature => ({
  ...{ feature_id, name, kind: 'lag', params: { column, steps }, enabled: true },
});

/** A table of 100 hours. */
export const table = (over: Partial<KeptTable> = {}): KeptTable => ({
  ...{ row_count: 100, ahead: 0, columns: [], data_cutoff: START + 99 * HOUR, entities: null },
  span: { from: START, to: START + 100 * HOUR, steps: 100 },
  quality: { gaps: 0, duplicates: 0, constant_columns: [], leakage_warnings: [] },
  ...{ table_hash: 'a'.repeat(64), manifest: 'b'.repeat(64) },
  ...over,
});

/** Facts of the segment, in a word each. */
export const created = (over: Partial<KeptRecipe> = {}): SegmentFact => ({
  type: 'SegmentCreated',
  data: { segmentId: id, name: 'Orders', description: '', recipe: recipe(over) },
});
const first = { segmentId: id, version: 1, build: 1 };
export const started = (over: { build?: number; attempt?: number; version?: number } = {}): SegmentFact => ({
  type: 'SegmentBuildStarted',
  data: { ...first, attempt: 1, ...over },
});
export const built = (over: Partial<KeptTable> = {}, build = 1): SegmentFact => ({
  type: 'SegmentBuilt',
  data: { ...first, build, table: table(over) },
});
export const failed: SegmentFact = {
  type: 'SegmentBuildFailed',
  data: { ...first, code: 'segment_too_short', message: 'too short' },
};
export const rebuildRequested = (build: number, version = 1): SegmentFact => ({
  type: 'SegmentRebuildRequested',
  data: { segmentId: id, version, build },
});
export const deleted: SegmentFact = { type: 'SegmentDeleted', data: { segmentId: id } };
