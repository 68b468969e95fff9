import { ALGORITHM_NAMES } from '../../domain/models/algorithms.js';
import { INTENSITIES, VISIBILITIES } from '../../domain/models/facts.js';
import { SORTED_BY } from '../../projections/models/public-list.js';
import { array, nullable, object } from '../../json-schema.js';
import { pageLimitMembers, pageLimitQuery } from '../edge/paging.js';
import { flag, foundationFields, task, text, time, whole } from './foundation-schemas.js';

const words = {
  type: 'array',
  maxItems: 20,
  items: { type: 'string', minLength: 1, maxLength: 50 },
} as const;
const map = { type: 'object', additionalProperties: true } as const;

const rating = { type: ['number', 'null'], minimum: 1, maximum: 5, description: 'null: nobody rated it' };

/** What the list says of every blueprint. */
const common = {
  uid: text,
  blueprint_uid: { ...text, description: 'the same as `uid`' },
  kind: { enum: ['foundation_backbone', 'foundation', 'custom', 'byom'] },
  name: text,
  purpose: nullable(text),
  description: text,
  framework: { ...text, description: '`onnx`, or `builtin` for the algorithms of the platform' },
  training_environment: { ...text, description: '`pretrained`, or `cpu`' },
  categories: array(text),
  tags: array(text),
  owner: {
    ...object({ user_id: text, name: nullable(text) }),
    description: 'who made it; of a foundation model its family and vendor',
  },
  visibility: { enum: VISIBILITIES },
  rating,
  rating_count: whole,
  in_use_by: { ...whole, description: 'deployments of it that are not retired, in all workspaces' },
  created_at: time,
  updated_at: time,
  deprecated: flag,
} as const;

const { license, ...foundation } = foundationFields;
/** What only some kinds have. */
const ofKinds = {
  ...foundation,
  task,
  intensity: { enum: INTENSITIES },
  lookback: whole,
  horizon: whole,
  algorithm: { enum: ALGORITHM_NAMES },
  byom_id: text,
} as const;

export const blueprintRow = object(common, { ...ofKinds, license });
const blueprintDetail = object(
  {
    ...common,
    metadata: map,
    hyperparameters: {
      ...nullable(map),
      description: 'JSON Schema of what can be set; the defaults are what this model is made with',
    },
    hyperparameter_values: nullable(map),
    inputs: { ...map, description: 'by name: type and shape, in words' },
    outputs: map,
    versions: array(object({ version: text, sha256: text, size_bytes: whole, created_at: time })),
    license: nullable(license),
    benchmarks: {
      ...nullable(map),
      description: 'how good it was found to be, as measured; null: not measured',
    },
  },
  ofKinds,
);

const short = { type: 'string', maxLength: 200 } as const;
export const publicQuery = object(
  {
    ...pageLimitQuery(),
    sort_by: { enum: SORTED_BY, default: 'created_at' },
    sort_order: { enum: ['asc', 'desc'], default: 'desc' },
  },
  {
    framework: short,
    training_environment: short,
    categories: { ...words, description: 'any of these' },
    tags: { ...words, description: 'any of these' },
    owner: { ...short, description: 'uid of who made it' },
    search: { ...short, description: 'part of the name, in upper or lower case' },
  },
);
export const publicAnswer = object({ data: object({ models: array(blueprintRow), ...pageLimitMembers }) });

export const blueprintParams = object({ blueprint_uid: text });
export const blueprintAnswer = object({ data: blueprintDetail });

export const recommendedAnswer = object({
  data: object({
    blueprint: nullable(blueprintRow),
    reason: text,
    evidence: nullable(
      object(
        {
          score: { type: 'number', description: 'what it lost, in the metric that `reason` names' },
          baseline_score: { type: 'number', description: 'what seasonal naive lost beside it' },
        },
        { tournament_id: { ...text, description: 'absent: trainings of a pipeline compared it' } },
      ),
    ),
    computed_at: nullable(time),
  }),
});

export const ratingBody = object({ rating: { type: 'integer', minimum: 1, maximum: 5 } });
export const ratingAnswer = object({
  data: object({ uid: text, rating, rating_count: whole, your_rating: { type: 'integer' } }),
});
