import { CHECKS, CHECK_STATUSES } from '../../domain/byom/report.js';
import { DTYPES, FORMATS, NORMALIZATIONS } from '../../domain/byom/signature.js';
import { byomStatuses } from '../../domain/byom/state.js';
import { VISIBILITIES } from '../../domain/models/facts.js';
import { array, nullable, object } from '../../json-schema.js';
import { goneOr } from '../edge/dry-run.js';
import { perPageMembers } from '../edge/paging.js';

const text = { type: 'string' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const number = { type: 'number' } as const;
const id = { type: 'string', minLength: 1, maxLength: 64 } as const;
const name = { type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' } as const;

const tensor = object({
  name: { type: 'string', minLength: 1, maxLength: 200, description: 'as in the file' },
  dtype: { enum: DTYPES },
  shape: {
    type: 'array',
    minItems: 2,
    maxItems: 3,
    items: { type: ['string', 'integer'], minimum: 1, maximum: 65_536, maxLength: 50 },
    examples: [['batch', 48]],
  },
});
const tensors = { type: 'array', minItems: 1, maxItems: 1, items: tensor } as const;
const tensorsExample = (name: string, size: number) => [{ name, dtype: 'float32', shape: ['batch', size] }];
const members = object(
  {
    inputs: { ...tensors, description: 'one: the newest values, oldest first' },
    outputs: { ...tensors, description: 'one: a point, or the quantiles, of each step' },
    lookback: { type: 'integer', minimum: 1, maximum: 65_536 },
    horizon: { type: 'integer', minimum: 1, maximum: 4_096 },
  },
  {
    quantiles: {
      ...nullable({
        type: 'array',
        minItems: 1,
        maxItems: 99,
        items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
      } as const),
      description: 'ascending, with 0.5; absent: it gives points, which get the bands of a seasonal naive',
    },
    normalization: {
      enum: NORMALIZATIONS,
      default: 'none',
      description: '`caller`: it takes z-scores of the lookback, and we turn its answer back; `none`: values',
    },
  },
);

export const signature = {
  ...members,
  examples: [
    {
      inputs: tensorsExample('series', 48),
      outputs: tensorsExample('variable', 12),
      lookback: 48,
      horizon: 12,
      normalization: 'caller',
    },
  ],
} as const;

export const uploadBody = object(
  { name, format: { enum: FORMATS }, signature },
  {
    sha256: {
      type: 'string',
      pattern: '^[0-9A-Fa-f]{64}$',
      description: 'of the file: another one is refused',
    },
  },
);
export const validateBody = object(
  {},
  { segment_id: { ...nullable(id), description: 'on whose rows it is tried; absent: a series made for it' } },
);
export const registerBody = object(
  {},
  {
    name: { ...nullable(name), description: 'default: as it was uploaded' },
    visibility: { enum: VISIBILITIES, default: 'private' },
    tags: {
      type: 'array',
      maxItems: 20,
      uniqueItems: true,
      items: { type: 'string', minLength: 1, maxLength: 50 },
      default: [],
    },
  },
);
export const params = object({ byom_id: id });
export const validationParams = object({ byom_id: id, validation_id: id });

const status = { enum: byomStatuses.filter(each => each !== 'deleted') };
const record = object({
  byom_id: text,
  name: text,
  format: { enum: FORMATS },
  status,
  message: { ...nullable(text), description: 'why it was rejected, or what it lacks' },
  file: text,
  size_bytes: whole,
  sha256: text,
  signature: object({
    inputs: array(tensor),
    outputs: array(tensor),
    lookback: whole,
    horizon: whole,
    quantiles: nullable(array(number)),
    normalization: { enum: NORMALIZATIONS },
  }),
  validation_id: { ...nullable(text), description: 'the newest' },
  uid: { ...nullable(text), description: 'in the catalogue; null until it is registered' },
  visibility: { enum: VISIBILITIES },
  tags: array(text),
  created_by: text,
  created_at: time,
  updated_at: time,
  registered_at: nullable(time),
});
export const recordAnswer = object({ data: record });
export const listAnswer = object({ data: object({ models: array(record), ...perPageMembers }) });
export const uploadAnswer = object({
  status: { const: 'accepted' },
  data: object({ byom_id: text, status, size_bytes: whole, sha256: text }),
});
export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ byom_id: text, validation_id: text, status: { const: 'queued' }, poll_url: text }),
});
export const registeredAnswer = object({ data: object({ uid: text, byom_id: text, message: text }) });
export const linkAnswer = object({
  data: object({
    download_url: text,
    filename: text,
    format: { const: 'original' },
    size_bytes: whole,
    sha256: text,
    expires_in_seconds: whole,
  }),
});
export const deletedAnswer = goneOr({ byom_id: text }, { byom_id: text });

const ended = ['validating', 'validated', 'rejected', 'unsupported'] as const;
export const validationAnswer = object({
  data: object({
    validation_id: text,
    byom_id: text,
    segment_id: nullable(text),
    status: { enum: ended },
    checks: {
      ...array(
        object({ name: { enum: CHECKS }, status: { enum: CHECK_STATUSES }, message: text, took_ms: whole }),
      ),
      description: 'empty while it is under way',
    },
    sample_input: { ...nullable(array(number)), description: 'the newest 1,000 values at most' },
    sample_output: {
      ...nullable(array(number)),
      description: 'what came of it, step by step, in the units of the series; 1,000 numbers at most',
    },
    runtime: nullable(text),
    created_at: time,
    finished_at: nullable(time),
  }),
});
