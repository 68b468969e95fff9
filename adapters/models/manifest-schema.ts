import { FORECASTER_TASKS } from '../../domain/maths/forecasting/forecaster.js';
import { FORMS, INPUT_TYPES, MISSING, PADS, SCALINGS } from '../../domain/models/graph.js';

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength }) as const;
const count = (maximum: number) => ({ type: 'integer', minimum: 1, maximum }) as const;
/** Together no longer than an id may be. */
const name = (maxLength: number) =>
  ({ type: 'string', maxLength, pattern: '^[a-z0-9][a-z0-9.-]*$' }) as const;
const MAX_CONTEXT = 65_536;

const graph = {
  type: 'object',
  required: ['input', 'output', 'scaling'],
  additionalProperties: false,
  properties: {
    input: {
      type: 'object',
      required: ['name', 'type', 'channel', 'length', 'missing', 'pad'],
      additionalProperties: false,
      properties: {
        name: text(100),
        type: { enum: INPUT_TYPES },
        channel: { type: 'boolean' },
        length: { oneOf: [count(MAX_CONTEXT), { type: 'null' }] },
        missing: { enum: MISSING },
        pad: { enum: PADS },
      },
    },
    output: {
      type: 'object',
      required: ['name', 'form'],
      additionalProperties: false,
      properties: { name: text(100), form: { enum: FORMS } },
    },
    scaling: { enum: SCALINGS },
  },
} as const;

/** The manifest of a model that is imported; other members are for people. */
export const manifestSchema = {
  type: 'object',
  required: [
    ...['family', 'slug', 'vendor', 'licence', 'commercial_use', 'parameters'],
    ...['caps', 'tasks', 'quantiles'],
  ],
  properties: {
    family: name(24),
    slug: name(30),
    name: text(200),
    description: text(4_000),
    vendor: text(200),
    licence: text(200),
    commercial_use: { type: 'boolean' },
    parameters: count(1e12),
    released_at: { type: 'string', format: 'date-time' },
    paper_url: { type: 'string', format: 'uri', maxLength: 500 },
    sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    caps: {
      type: 'object',
      required: ['context', 'horizon'],
      properties: { context: count(MAX_CONTEXT), horizon: count(4_096) },
    },
    tasks: { type: 'array', minItems: 1, uniqueItems: true, items: { enum: FORECASTER_TASKS } },
    quantiles: {
      type: 'array',
      minItems: 1,
      maxItems: 99,
      items: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    },
    // A graph has one input, the series: a network that reads more is run without it, and is listed as such
    covariates: { enum: ['none'] },
    graph,
  },
} as const;
