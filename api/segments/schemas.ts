import { statuses } from '../../domain/segments/state.js';
import * as recipe from '../../domain/segments/recipe.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfGiven, asOfMember } from '../edge/as-of.js';
import { goneOr } from '../edge/dry-run.js';
import { offsetMembers, perPageMembers, perPageQuery } from '../edge/paging.js';
import { kinds } from './recipe-schemas.js';

const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const nothing = nullable(text);
const status = { enum: statuses } as const;

export const segmentId = { type: 'string', examples: ['seg_0k3v9x1m2n4p5q6r'] } as const;
export const oneParams = object({ segment_id: segmentId });
export const featureParams = object({
  segment_id: segmentId,
  feature_id: { ...text, examples: ['ftr_0k3v9x1m2n4p5q6r'] },
});
export const versionParams = object({
  segment_id: segmentId,
  version: { ...text, pattern: '^[1-9][0-9]{0,7}$', examples: ['1'] },
});
export const asOfQuery = object({}, { as_of: asOfGiven });

export const feature = object({
  feature_id: text,
  name: text,
  kind: { enum: kinds },
  params: { type: 'object' },
  enabled: { type: 'boolean' },
});
const fold = object({
  fitted_on: object({ from: time, to: time }),
  params: { type: 'object', description: 'by column; of entities by entity, then by column' },
});
export const normalizationMembers = {
  method: { enum: recipe.NORMALIZATION_METHODS },
  scope: { enum: recipe.NORMALIZATION_SCOPES },
} as const;
const recipeMembers = {
  target: text,
  inputs: array(object({ key: text, role: text, lag_s: whole, transform: text })),
  event_streams: array(object({ stream: text, encoding: text, half_life_s: number })),
  entity_mode: { enum: ['single', 'per_entity'] },
  step_s: whole,
  step_months: { ...nullable(whole), description: 'steps are so many calendar months; null: of `step_s`' },
  timezone: text,
  from: nullable(time),
  to: nullable(time),
  fill: object({ method: text, max_gap_steps: whole }),
  aggregate: text,
  normalization: object(normalizationMembers),
  features: array(feature),
  split: object({ method: text, folds: whole, horizon: whole, gap: whole }),
} as const;
const columns = array(
  object({ name: text, dtype: text, role: text, missing_ratio: { ...number, minimum: 0, maximum: 1 } }),
);
const quality = object(
  {
    gaps: whole,
    duplicates: whole,
    constant_columns: array(text),
    leakage_warnings: array(object({ column: text, reason: text })),
  },
  {
    warnings: {
      ...array(object({ code: { enum: ['calendar_months'] }, message: text })),
      description:
        'where there are any; `calendar_months`: the target comes by months, quarters or years, and steps '
        + 'are about as long, but all of the same length',
    },
  },
);
const responses = array(
  object({
    stream: text,
    entity: nothing,
    goal_id: text,
    edge_id: text,
    discovery_id: { ...nothing, description: 'the check that looked at the edge last' },
    checked_at: { ...nullable(time), description: '`as_of` of the edge that shows it as it was used' },
    weighed_by: { enum: ['none', 'importance', 'impact', 'value'] },
  }),
);
const tableMembers = {
  row_count: nullable(whole),
  ahead: { ...nullable(whole), description: 'rows after the last target, where inputs are known ahead' },
  column_count: nullable(whole),
  columns: nullable(columns),
  entities: nullable(whole),
  data_cutoff: { ...nullable(time), description: 'the last point of the target' },
  table_hash: { ...nothing, description: 'SHA-256 of the table as CSV, the rows ahead left out' },
  rebuilt_rows: {
    ...nullable(whole),
    description: 'rows that the last build made; those before what changed were taken over',
  },
  built_at: nullable(time),
  quality: nullable(quality),
  responses: {
    ...nullable(responses),
    description: 'the edges that columns of responses were made by, at most 100; null: there are none',
  },
} as const;
const segmentMembers = {
  segment_id: text,
  name: text,
  description: text,
  ...recipeMembers,
  status,
  version: { ...whole, description: 'of the recipe' },
  revision: { ...whole, description: 'what people changed, counted; the first part of the ETag' },
  built_version: { ...nullable(whole), description: 'of the recipe that the table is built of' },
  ...tableMembers,
  changed_rows: { ...nullable(whole), description: 'stale: at most so many rows differ by now' },
  error: nullable(object({ code: text, message: text })),
  created_at: time,
  updated_at: time,
} as const;

export const oneAnswer = object({ data: object({ ...segmentMembers, as_of: asOfMember }) });
export const listQuery = object(perPageQuery());
export const segmentsQuery = object(perPageQuery(), { as_of: asOfGiven });
export const listAnswer = object({
  data: object({ as_of: asOfMember, segments: array(object(segmentMembers)), ...perPageMembers }),
});
export const removedAnswer = goneOr({ segment_id: text, feature_id: text });
export const deletedAnswer = goneOr({ segment_id: text });
export const rebuildAnswer = object({
  status: { const: 'queued' },
  data: object({ segment_id: text, status, version: whole, poll_url: text }),
});

const versionMembers = {
  version: whole,
  created_at: time,
  created_by: text,
  ...recipeMembers,
  ...tableMembers,
} as const;
export const versionsAnswer = object({
  data: object({ versions: array(object(versionMembers)), ...perPageMembers }),
});
export const versionAnswer = object({ data: object(versionMembers) });

const row = {
  type: 'object',
  description: '`ts`, `entity` where there is one, and a member for each column; null: no value',
} as const;
const limit = {
  type: 'integer',
  minimum: 1,
  'x-clamp': 10_000,
  description: 'rows; json: 100 when absent; csv: all when absent',
} as const;
export const rowsQuery = object(
  {
    offset: {
      type: 'integer',
      minimum: 0,
      default: 0,
      'x-clamp': 1_000_000,
      description: 'rows to pass over',
    },
    format: { enum: ['json', 'csv'], default: 'json' },
    ahead: { type: 'boolean', default: true, description: 'false: without the rows after the last target' },
  },
  {
    limit,
    version: {
      type: 'integer',
      minimum: 1,
      maximum: 99_999_999,
      description: 'the table of an earlier version',
    },
    as_of: asOfGiven,
  },
);
export const rowsAnswer = object({
  data: object({
    segment_id: text,
    version: whole,
    table_hash: text,
    as_of: asOfMember,
    rows: array(row),
    ...offsetMembers,
  }),
});

const plot = object({ ts: array(time), values: array(number) });
export const previewAnswer = object({
  data: object({
    columns,
    rows: { ...array(row), description: 'all up to 100; of more the first and the last 50' },
    row_count: whole,
    ahead: whole,
    quality,
    plot: {
      type: 'object',
      additionalProperties: plot,
      description: 'by column: the means of equal stretches of time that have any',
    },
    as_of: asOfMember,
  }),
});

const spanMember = object({ from: time, to: time });
export const normalizationAnswer = object({
  data: object({
    as_of: asOfMember,
    ...normalizationMembers,
    fitted_on: { ...nullable(spanMember), description: 'of the last fold' },
    params: { ...nullable({ type: 'object' }), description: 'of the last fold' },
    folds: {
      ...nullable(array(fold)),
      description: 'each fitted on what it may be trained on; null until it is built',
    },
  }),
});
export const featuresAnswer = object({
  data: object({ as_of: asOfMember, features: array(feature), total: whole }),
});
export const featureAnswer = object({ data: feature });

const suggestion = object({
  kind: { enum: kinds },
  params: { type: 'object' },
  lift: {
    ...number,
    description: 'the share of the absolute error on unseen rows that goes away with the feature',
  },
});
export const suggestionsAnswer = object({
  data: object({
    suggestions: array(suggestion),
    message: { ...nothing, description: 'why there are none' },
    as_of: asOfMember,
  }),
});
